import { useQuery } from '@tanstack/react-query';
import { useChange } from '../../api/change.ts';
import { type Resources, workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { announce } from '../../components/copy/announce.ts';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { exact } from '../../format/time.ts';
import { browserName } from './browser-name.ts';
import * as texts from './texts.ts';

type Session = Resources['sessions'];
const LIST = 'GET /users/{user_id}/sessions';

/** Browser sessions of a user, with actions to end them. */
export function Sessions({ userId }: { readonly userId: string }) {
  const path = { user_id: userId };
  const sessions = useQuery(workspaces.query(LIST, { path, query: { 'page[size]': '100' } }));
  const others = (sessions.data?.data ?? []).filter(({ attributes }) => !attributes['is-current']).length;
  const endOthers = useChange(
    () => workspaces.send('DELETE /users/{user_id}/sessions', { path }),
    () => announce(texts.otherSessionsEnded),
  );
  return (
    <Section
      title={texts.mySessions}
      end={
        others > 0 && (
          <Button look="small" off={endOthers.isPending && texts.endingSessions} onClick={() => endOthers.mutate()}>
            {texts.endAllOtherSessions}
          </Button>
        )
      }
    >
      <p className="soft">{texts.browsersInWhichYou}</p>
      <QueryResult query={sessions} what={texts.yourSessions}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noSessions}</p>
          ) : (
            <Table label={texts.mySessions} flush twoLines items={data} keyOf={({ id }) => id} columns={COLUMNS} />
          )
        }
      </QueryResult>
    </Section>
  );
}

const nameOf = ({ attributes }: Session) => texts.at(browserName(attributes.browser), attributes.address);

const COLUMNS = [
  {
    id: 'where',
    head: texts.browser,
    isName: true,
    cell: (session: Session) => (
      <span title={session.attributes.browser}>
        <bdi>{nameOf(session)}</bdi>
        {session.attributes['is-current'] && texts.thisBrowser}
      </span>
    ),
  },
  {
    id: 'used',
    head: texts.lastUsed,
    cell: ({ attributes }: Session) => (
      <>
        {texts.used} <Ago time={attributes['last-used-at']} /> {texts.ago}
      </>
    ),
  },
  {
    id: 'end',
    head: texts.expires,
    cell: ({ attributes }: Session) => (
      <span title={texts.expiresIfUnused(exact(attributes['idle-at']))}>
        {texts.expires2(exact(attributes['expires-at']))}
      </span>
    ),
  },
  {
    id: 'do',
    head: texts.actions,
    hideHead: true,
    isNumber: true,
    cell: (session: Session) =>
      !session.attributes['is-current'] && (
        <Destroy
          verb={texts.end}
          what={texts.session(nameOf(session))}
          isRow
          run={() => workspaces.send('DELETE /sessions/{session_id}', { path: { session_id: session.id } })}
        >
          <p>{texts.thatBrowserIsSigned}</p>
        </Destroy>
      ),
  },
] as const;
