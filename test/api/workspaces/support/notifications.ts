import { expect } from 'vitest';
import type { MailSettings } from '../../../../src/mail/index.ts';
import { type Dialect, FileBlobs } from '../../../../src/storage/index.ts';
import { type Receiver, startReceiver } from '../../../support/receiver.ts';
import { type Answer, type Caller, startApi, type TestApi } from './api.ts';
import { newOrganization, type TestOrganization } from './organization.ts';
import { runsOf, type TestRuns } from './runs.ts';

export const RUN_TRIGGERS = [
  'run:created',
  'run:planning',
  'run:needs_attention',
  'run:applying',
  'run:completed',
  'run:errored',
];

/** A server, a receiver that it may send to, and an organization that has runs. */
export interface Notifying {
  readonly api: TestApi;
  readonly receiver: Receiver;
  readonly acme: TestOrganization;
  readonly runs: TestRuns;
}

export async function startNotifying(
  kind: Dialect,
  note: (event: object, message: string) => void = () => {},
  mail?: MailSettings,
): Promise<Notifying> {
  const receiver = await startReceiver();
  const api = await startApi(kind, FileBlobs, {
    allowedAddresses: ['127.0.0.1', 'localhost'],
    authorities: [receiver.ca],
    note,
    ...(mail && { mail }),
  });
  const acme = await newOrganization(api);
  return { api, receiver, acme, runs: runsOf(api, acme) };
}

/** Short functions for notifications. */
export function notificationsOf(server: () => Notifying) {
  let names = 0;
  const newWorkspace = (attributes = {}) => server().runs.workspace(`n-${++names}`, attributes);
  const newPath = () => `/hook-${++names}`;
  const attributesFor = (path: string, more: object = {}) => ({
    name: 'Builds',
    'destination-type': 'generic',
    url: server().receiver.address + path,
    enabled: true,
    triggers: RUN_TRIGGERS,
    ...more,
  });
  const post = (workspace: string, attributes: object, caller: Pick<Caller, 'call'> = server().acme.owner, more = {}) =>
    caller.call('POST', `/workspaces/${workspace}/notification-configurations`, {
      data: { type: 'notification-configurations', attributes, ...more },
    });
  /** @param scope path of the scope, such as `projects/prj-1` */
  const postTo = (scope: string, attributes: object, caller: Pick<Caller, 'call'> = server().acme.owner, more = {}) =>
    caller.call('POST', `/${scope}/notification-configurations`, {
      data: { type: 'notification-configurations', attributes, ...more },
    });
  const created = async (answer: Promise<Answer>) => {
    server().api.advance(1);
    const { body, status, text } = await answer;
    expect(status, text).toBe(201);
    return body.data;
  };
  const create = (workspace: string, attributes: object) => created(post(workspace, attributes));
  const createIn = (scope: string, attributes: object, more = {}) =>
    created(postTo(scope, attributes, server().acme.owner, more));
  const show = async (id: string) =>
    (await server().acme.owner.call('GET', `/notification-configurations/${id}`)).body.data;
  const patch = (id: string, attributes: object) =>
    server().acme.owner.call('PATCH', `/notification-configurations/${id}`, {
      data: { type: 'notification-configurations', attributes },
    });
  const verify = (id: string) => server().acme.owner.call('POST', `/notification-configurations/${id}/actions/verify`);
  const list = (workspace: string, query = '') =>
    server().acme.owner.call('GET', `/workspaces/${workspace}/notification-configurations${query}`);
  /** Sends all due notifications; each of them succeeds or fails. */
  const deliver = async () => {
    const { emailDeliveries, notificationDeliveries } = server().api.workspaces.execution;
    for (const deliveries of [notificationDeliveries, emailDeliveries]) {
      await deliveries.begin();
      await deliveries.settled();
    }
  };
  const triggersAt = (path: string) =>
    server()
      .receiver.at(path)
      .map(({ body }) => body.notifications[0].trigger);

  return {
    newWorkspace,
    newPath,
    attributesFor,
    post,
    postTo,
    create,
    createIn,
    show,
    patch,
    verify,
    list,
    deliver,
    triggersAt,
  };
}
