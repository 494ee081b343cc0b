import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workspaces } from '../../../api/client.ts';
import { buttonClass } from '../../../components/button/Button.tsx';
import { QueryResult } from '../../../components/page-states/QueryResult.tsx';
import { Section } from '../../../components/section/Section.tsx';
import { State } from '../../../components/state/State.tsx';
import type { Column } from '../../../components/table/columns.ts';
import { Table } from '../../../components/table/Table.tsx';
import { counted } from '../../../format/number.ts';
import { day } from '../../../format/time.ts';
import { NotForYou, usePart } from '../part.tsx';
import { AppPart } from './AppPart.tsx';
import { type Connection, EVERY_MS, LIST, MOST, nameOf, type Token } from './connection.ts';
import { Health } from './Health.tsx';
import { Parts } from './Parts.tsx';
import * as texts from './texts.ts';
import styles from './version-control.module.css';

const TOKENS = 'GET /organizations/{organization_name}/oauth-tokens';

/** Connections of an organization to VCS providers, with their health. */
export function ConnectionsPart() {
  const { organization, path, may } = usePart(
    texts.versionControl,
    (name) => workspaces.request(LIST, { path: { organization_name: name } }),
    (name) => `lockkeeper api GET organizations/${name}/oauth-clients`,
  );
  const manages = may?.['can-update-oauth'] ?? false;
  const sees = (manages || may?.['can-create-workspace']) ?? false;
  const reading = { enabled: sees, refetchInterval: EVERY_MS };
  const query = { 'page[size]': MOST };
  const clients = useQuery({ ...workspaces.query(LIST, { path, query }), ...reading });
  const tokens = useQuery({ ...workspaces.query(TOKENS, { path, query }), ...reading });
  if (may && !sees) return <NotForYou needs="can-update-oauth" />;
  const tokenOf = ({ id }: Connection) =>
    tokens.data?.data.find(({ relationships }) => relationships['oauth-client'].data?.id === id);
  return (
    <>
      {manages && <Parts organization={organization} />}
      <Section
        title={texts.connections}
        end={
          manages && (
            <Link
              className={buttonClass('primary')}
              to="/$organization/settings/version-control/new"
              params={{ organization }}
            >
              {texts.connectAProvider}
            </Link>
          )
        }
      >
        <p className="soft">{texts.connectionsToProviders}</p>
        <QueryResult query={clients} what={texts.connections}>
          {({ data }) =>
            data.length === 0 ? (
              <p className="soft">{texts.noConnectionsYet}</p>
            ) : (
              <Table
                label={texts.connections}
                flush
                twoLines
                items={data}
                keyOf={({ id }) => id}
                columns={columnsOf(organization, manages, tokenOf)}
              />
            )
          }
        </QueryResult>
      </Section>
      {manages && <AppPart organization={organization} />}
    </>
  );
}

const columnsOf = (
  organization: string,
  manages: boolean,
  tokenOf: (connection: Connection) => Token | undefined,
): readonly Column<Connection>[] => [
  {
    id: 'name',
    head: texts.name,
    isName: true,
    cell: (one) =>
      manages ? (
        <Link to="/$organization/settings/version-control/$connection" params={{ organization, connection: one.id }}>
          <bdi>{nameOf(one)}</bdi>
        </Link>
      ) : (
        <bdi>{nameOf(one)}</bdi>
      ),
  },
  {
    id: 'health',
    head: texts.health,
    cell: ({ attributes }) => (
      <>
        <Health attributes={attributes} />
        {attributes['connection-status-reason'] && (
          <span className={`${styles.line} soft`}>{attributes['connection-status-reason']}</span>
        )}
      </>
    ),
  },
  { id: 'url', head: texts.url, cell: ({ attributes }) => <code>{attributes['http-url']}</code> },
  {
    id: 'account',
    head: texts.account,
    className: 'soft',
    cell: (one) => {
      const { 'service-provider-user': account, 'excess-scopes': excess = [] } = tokenOf(one)?.attributes ?? {};
      return (
        <>
          {account && <bdi>{account}</bdi>}
          {excess.length > 0 && (
            <span className={styles.line}>
              <State icon="warn" is="attention">
                {texts.tooWide(excess.join(', '))}
              </State>
            </span>
          )}
        </>
      );
    },
  },
  {
    id: 'expires',
    head: texts.token,
    className: 'soft',
    cell: (one) => {
      const end = tokenOf(one)?.attributes['expires-at'];
      return end && texts.expires(day(end));
    },
  },
  {
    id: 'workspaces',
    head: texts.workspaces,
    isNumber: true,
    cell: ({ attributes }) => counted(attributes['affected-workspaces-count'], 'workspace'),
  },
];
