import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { workspaces } from '../../api/client.ts';
import { counted } from '../../format/number.ts';
import { Banner } from '../banner/Banner.tsx';
import { Button } from '../button/Button.tsx';
import { announce } from '../copy/announce.ts';
import { Destroy } from '../destroy/Destroy.tsx';
import { QueryResult } from '../page-states/QueryResult.tsx';
import { Section } from '../section/Section.tsx';
import { State } from '../state/State.tsx';
import { Table } from '../table/Table.tsx';
import { Ago } from '../time/Time.tsx';
import { NotificationDialog } from './NotificationDialog.tsx';
import styles from './notifications.module.css';
import { type Notification, queryOf, type Scope } from './scope.ts';
import * as texts from './texts.ts';
import { DESTINATIONS } from './triggers.ts';

const EVERY_MS = 10_000;

interface ListProps {
  readonly scope: Scope;
  /** Permission that the list requires. */
  readonly needs: string;
}

/** Notifications of a scope, with the result of the last delivery. */
export function NotificationList({ scope, needs }: ListProps) {
  const [open, setOpen] = useState<Notification | 'new' | undefined>();
  const list = useQuery({ ...queryOf(scope), refetchInterval: EVERY_MS });
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
      <QueryResult query={list} what={texts.notifications} missing={<code>{needs}</code>}>
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
                { id: 'name', head: texts.name, isName: true, cell: (one) => <Name of={one} /> },
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
          scope={scope}
          {...(open !== 'new' && { notification: open })}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Section>
  );
}

/** Name, and what has no effect. */
function Name({ of: { attributes } }: { readonly of: Notification }) {
  return (
    <>
      <bdi>{attributes.name}</bdi>
      {attributes.notice && <div className="soft">{attributes.notice}</div>}
    </>
  );
}

/** Returns the kind of the destination and its host only: the rest of the URL may contain a secret. */
function to({ attributes, relationships }: Notification): string {
  const kind = DESTINATIONS[attributes['destination-type']];
  if (attributes['destination-type'] === 'email') {
    const count = attributes['email-addresses'].length + (relationships.users.data?.length ?? 0);
    return `${kind}, ${counted(count, texts.recipient)}`;
  }
  return attributes.url && URL.canParse(attributes.url) ? `${kind}, ${new URL(attributes.url).host}` : kind;
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
    <span className={styles.actions}>
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
