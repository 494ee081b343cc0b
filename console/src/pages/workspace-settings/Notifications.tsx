import { type UseMutationResult, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Banner } from '../../components/banner/Banner.tsx';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Section } from '../../components/section/Section.tsx';
import { State } from '../../components/state/State.tsx';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { counted } from '../../format/number.ts';
import { NotificationDialog } from './NotificationDialog.tsx';
import { type PartProps, partOf } from './part.tsx';
import styles from './settings.module.css';
import { DESTINATIONS } from './triggers.ts';

const LIST = 'GET /workspaces/{workspace_id}/notification-configurations';
const EVERY_MS = 10_000;

export type Notification = Resources['notification-configurations'];

/** Who is told what happens to runs, and whether it arrives. */
export const Notifications = partOf(Shows, {
  label: 'Notifications',
  request: (id) => workspaces.request(LIST, { path: { workspace_id: id } }),
  command: (id) => `lockkeeper api GET workspaces/${id}/notification-configurations`,
  needs: 'can-update',
});

function Shows({ workspace: { id } }: PartProps) {
  const [open, setOpen] = useState<Notification | 'new' | undefined>();
  // There are 20 at most.
  const list = useQuery({
    ...workspaces.query(LIST, { path: { workspace_id: id }, query: { 'page[size]': '100' } }),
    refetchInterval: EVERY_MS,
  });
  const verify = useChange(
    ({ id: of }: Notification) =>
      workspaces.send('POST /notification-configurations/{notification_configuration_id}/actions/verify', {
        path: { notification_configuration_id: of },
      }),
    (_answer, { attributes: { name } }) => announce(`${name} answers`),
  );
  return (
    <Section
      title="Notifications"
      end={
        <Button look="small" onClick={() => setOpen('new')}>
          New notification…
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
      <Answered query={list} what="Notifications" missing={<code>can-update</code>}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">Nobody is told: a channel in Slack or Teams, or a program of yours, can be.</p>
          ) : (
            <Table
              label="Notifications"
              flush
              twoLines
              items={data}
              keyOf={(one) => one.id}
              columns={[
                { id: 'name', head: 'Name', isName: true, cell: ({ attributes }) => <bdi>{attributes.name}</bdi> },
                { id: 'last', head: 'Last answer', cell: (one) => <LastAnswer of={one} /> },
                { id: 'to', head: 'To', className: 'soft', cell: to },
                {
                  id: 'when',
                  head: 'When',
                  className: 'soft',
                  cell: ({ attributes: { triggers } }) => (
                    <span title={triggers.join(', ')}>{counted(triggers.length, 'trigger')}</span>
                  ),
                },
                {
                  id: 'do',
                  head: 'What can be done',
                  hideHead: true,
                  isNumber: true,
                  cell: (one) => <Actions of={one} verify={verify} onChange={() => setOpen(one)} />,
                },
              ]}
            />
          )
        }
      </Answered>
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

/** What kind of receiver, and its host: the rest of the address may let others write there. */
function to({ attributes }: Notification): string {
  const kind = DESTINATIONS[attributes['destination-type']];
  return URL.canParse(attributes.url) ? `${kind}, ${new URL(attributes.url).host}` : kind;
}

function LastAnswer({ of: { attributes } }: { readonly of: Notification }) {
  if (!attributes.enabled) return <span className="soft">off</span>;
  const [last] = attributes['delivery-responses'];
  if (!last) return <span className="soft">nothing sent yet</span>;
  const isGood = last.successful === 'true';
  return (
    <span title={last.body}>
      <State icon={isGood ? 'ok' : 'err'} is={isGood ? 'good' : 'bad'}>
        {last.code || 'no answer'}
      </State>{' '}
      <Ago time={last['sent-at']} /> ago
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
      {isThis && verify.isSuccess && <span className="soft">it answers</span>}
      <Button
        look="small"
        aria-label={`Verify ${name}`}
        off={verify.isPending && 'One is being tried'}
        onClick={() => verify.mutate(of)}
      >
        {isThis && verify.isPending ? 'Verify…' : 'Verify'}
      </Button>
      <Button look="small" aria-label={`Change ${name}…`} onClick={onChange}>
        Change…
      </Button>
      <Destroy
        verb="Delete"
        what={`notification ${name}`}
        isRow
        run={() => workspaces.send('DELETE /notification-configurations/{notification_configuration_id}', { path })}
      >
        <p>Its receiver is told nothing any more. What waits to be sent is not sent.</p>
      </Destroy>
    </span>
  );
}
