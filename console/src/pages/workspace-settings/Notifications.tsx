import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { State } from '../../components/state/State.tsx';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { counted } from '../../format/number.ts';
import { NotificationDialog } from './NotificationDialog.tsx';
import { type PartProps, partOf } from './part.tsx';
import styles from './settings.module.css';
import * as texts from './texts.ts';
import { DESTINATIONS } from './triggers.ts';

const LIST = 'GET /workspaces/{workspace_id}/notification-configurations';
const EVERY_MS = 10_000;

export type Notification = Resources['notification-configurations'];

/** Notifications of a workspace, with the result of the last delivery. */
export const Notifications = partOf(Shows, {
  label: texts.notifications,
  request: (id) => workspaces.request(LIST, { path: { workspace_id: id } }),
  command: (id) => `lockkeeper api GET workspaces/${id}/notification-configurations`,
  needs: 'can-update',
});

function Shows({ workspace: { id } }: PartProps) {
  const [open, setOpen] = useState<Notification | 'new' | undefined>();
  // A workspace has at most 20 notifications, so one page contains all.
  const list = useQuery({
    ...workspaces.query(LIST, { path: { workspace_id: id }, query: { 'page[size]': '100' } }),
    refetchInterval: EVERY_MS,
  });
  const verify = useChange(
    ({ id: of }: Notification) =>
      workspaces.send('POST /notification-configurations/{notification_configuration_id}/actions/verify', {
        path: { notification_configuration_id: of },
      }),
    (_answer, { attributes: { name } }) => announce(texts.responded(name)),
  );
  return (
    <Section
      title={texts.notifications}
      end={
        <Button look="small" onClick={() => setOpen('new')}>
          {texts.newNotification2}
        </Button>
      }
    >
      {verify.error && (
        <div role="alert">
          <Banner is="bad" icon="warn">
            <bdi>{verify.variables?.attributes.name}</bdi>: {verify.error.message}
          </Banner>
        </div>
      )}
      <QueryResult query={list} what={texts.notifications} missing={<code>can-update</code>}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noNotificationsYetSend}</p>
          ) : (
            <Table
              label={texts.notifications}
              flush
              twoLines
              items={data}
              keyOf={(one) => one.id}
              columns={[
                { id: 'name', head: texts.name, isName: true, cell: ({ attributes }) => <bdi>{attributes.name}</bdi> },
                { id: 'last', head: texts.lastResponse, cell: (one) => <LastAnswer of={one} /> },
                { id: 'to', head: texts.destination, className: 'soft', cell: to },
                {
                  id: 'when',
                  head: texts.triggers,
                  className: 'soft',
                  cell: ({ attributes: { triggers } }) => (
                    <span title={triggers.join(', ')}>{counted(triggers.length, texts.trigger)}</span>
                  ),
                },
                {
                  id: 'do',
                  head: texts.actions,
                  hideHead: true,
                  isNumber: true,
                  cell: (one) => <Actions of={one} verify={verify} onChange={() => setOpen(one)} />,
                },
              ]}
            />
          )
        }
      </QueryResult>
      {open && (
        <NotificationDialog
          workspace={id}
          {...(open !== 'new' && { notification: open })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Section>
  );
}

/** Returns the kind of the destination and its host only: the rest of the URL may contain a secret. */
function to({ attributes }: Notification): string {
  const kind = DESTINATIONS[attributes['destination-type']];
  return URL.canParse(attributes.url) ? `${kind}, ${new URL(attributes.url).host}` : kind;
}

function LastAnswer({ of: { attributes } }: { readonly of: Notification }) {
  if (!attributes.enabled) return <span className="soft">{texts.disabled}</span>;
  const [last] = attributes['delivery-responses'];
  if (!last) return <span className="soft">{texts.nothingSentYet}</span>;
  const isGood = last.successful === 'true';
  return (
    <span title={last.body}>
      <State icon={isGood ? 'ok' : 'err'} is={isGood ? 'good' : 'bad'}>
        {last.code || texts.noResponse}
      </State>{' '}
      <Ago time={last['sent-at']} /> {texts.ago}
    </span>
  );
}

interface ActionsProps {
  readonly of: Notification;
  readonly verify: UseMutationResult<unknown, Error, Notification>;
  readonly onChange: () => void;
}

function Actions({ of, verify, onChange }: ActionsProps) {
  const { name } = of.attributes;
  const path = { notification_configuration_id: of.id };
  const isThis = verify.variables?.id === of.id;
  return (
    <span className={styles.does}>
      {isThis && verify.isSuccess && <span className="soft">{texts.responded2}</span>}
      <Button
        look="small"
        aria-label={texts.verify(name)}
        off={verify.isPending && texts.aVerificationIsInProgress}
        onClick={() => verify.mutate(of)}
      >
        {isThis && verify.isPending ? texts.verifying : texts.verify2}
      </Button>
      <Button look="small" aria-label={texts.change2(name)} onClick={onChange}>
        {texts.change3}
      </Button>
      <Destroy
        verb={texts.deleteText}
        what={texts.notification(name)}
        isRow
        run={() => workspaces.send('DELETE /notification-configurations/{notification_configuration_id}', { path })}
      >
        <p>{texts.theReceiverGetsNo}</p>
      </Destroy>
    </span>
  );
}
