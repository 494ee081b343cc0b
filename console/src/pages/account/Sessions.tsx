import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { exact } from '../../format/time.ts';
import { browserName } from './browser-name.ts';

type Session = Resources['sessions'];
const LIST = 'GET /users/{user_id}/sessions';

/** Where somebody is signed in with a browser; what they do not know, they end. */
export function Sessions({ userId }: { readonly userId: string }) {
  const path = { user_id: userId };
  const sessions = useQuery(workspaces.query(LIST, { path, query: { 'page[size]': '100' } }));
  const others = (sessions.data?.data ?? []).filter(({ attributes }) => !attributes['is-current']).length;
  const endOthers = useChange(
    () => workspaces.send('DELETE /users/{user_id}/sessions', { path }),
    () => announce('The other sessions have ended'),
  );
  return (
    <Section
      title="My sessions"
      end={
        others > 0 && (
          <Button look="small" off={endOthers.isPending && 'Ending them…'} onClick={() => endOthers.mutate()}>
            End all others
          </Button>
        )
      }
    >
      <p className="soft">
        Where you are signed in with a browser. One that you do not know: end it, and change how you sign in.
      </p>
      <Answered query={sessions} what="Your sessions">
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">There is none.</p>
          ) : (
            <Table label="My sessions" flush twoLines items={data} keyOf={({ id }) => id} columns={COLUMNS} />
          )
        }
      </Answered>
    </Section>
  );
}

const nameOf = ({ attributes }: Session) => `${browserName(attributes.browser)} at ${attributes.address}`;

const COLUMNS = [
  {
    id: 'where',
    head: 'Browser',
    isName: true,
    cell: (session: Session) => (
      <span title={session.attributes.browser}>
        <bdi>{nameOf(session)}</bdi>
        {session.attributes['is-current'] && ' (this one)'}
      </span>
    ),
  },
  {
    id: 'used',
    head: 'Last used',
    cell: ({ attributes }: Session) => (
      <>
        used <Ago time={attributes['last-used-at']} /> ago
      </>
    ),
  },
  {
    id: 'end',
    head: 'Ends',
    cell: ({ attributes }: Session) => (
      <span title={`Unused, it ends ${exact(attributes['idle-at'])}`}>ends {exact(attributes['expires-at'])}</span>
    ),
  },
  {
    id: 'do',
    head: 'What can be done',
    hideHead: true,
    isNumber: true,
    cell: (session: Session) =>
      !session.attributes['is-current'] && (
        <Destroy
          verb="End"
          what={`session ${nameOf(session)}`}
          isRow
          run={() => workspaces.send('DELETE /sessions/{session_id}', { path: { session_id: session.id } })}
        >
          <p>That browser is signed out with its next request.</p>
        </Destroy>
      ),
  },
] as const;
