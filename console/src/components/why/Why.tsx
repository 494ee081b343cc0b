import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';
import { QueryResult } from '../page-states/QueryResult.tsx';
import { State } from '../state/State.tsx';
import type { Column } from '../table/columns.ts';
import { Table } from '../table/Table.tsx';
import * as texts from './texts.ts';
import styles from './why.module.css';
import { givenBy, refusedBecause, type Source, type Verdict } from './words.ts';

/** Subject of the explanation: a user by name or a team by id; by default the current user. */
export interface About {
  readonly user?: string;
  readonly team?: string;
}

interface WhyProps {
  readonly organization: string;
  /** Workspace id; without one, the explanation is about the organization. */
  readonly workspace?: string;
  readonly about: About;
}

/** Returns the parameters of the API request that explains the access. */
export function whyRequest({ organization, workspace, about }: WhyProps) {
  const query = {
    ...(about.user !== undefined && { 'filter[user][username]': about.user }),
    ...(about.team !== undefined && { 'filter[team][id]': about.team }),
  };
  return { query, path: { organization_name: organization, workspace_id: workspace ?? '' } };
}

const OF_WORKSPACE = 'GET /workspaces/{workspace_id}/access-explanation';
const OF_ORGANIZATION = 'GET /organizations/{organization_name}/access-explanation';

/** Permissions of a user or team, with the source of each, as the server evaluates them. */
export function Why(props: WhyProps) {
  const { organization, workspace, about } = props;
  const { query, path } = whyRequest(props);
  const ofWorkspace = useQuery({
    ...workspaces.query(OF_WORKSPACE, { path: { workspace_id: path.workspace_id }, query }),
    enabled: workspace !== undefined,
  });
  const ofOrganization = useQuery({
    ...workspaces.query(OF_ORGANIZATION, { path: { organization_name: path.organization_name }, query }),
    enabled: workspace === undefined,
  });
  return (
    <QueryResult query={workspace === undefined ? ofOrganization : ofWorkspace} what={texts.theExplanation}>
      {({ data }) => <Explained of={data} organization={organization} isOwn={!about.user && !about.team} />}
    </QueryResult>
  );
}

interface ExplainedProps {
  readonly of: Resources['access-explanations'];
  readonly organization: string;
  readonly isOwn: boolean;
}

function Explained({ of: { attributes }, organization, isOwn }: ExplainedProps) {
  const { permissions, 'subject-name': name } = attributes;
  const allowed = permissions.filter((verdict) => verdict.allowed).length;
  const columns: readonly Column<Verdict>[] = [
    {
      id: 'permission',
      head: texts.permission,
      isName: true,
      className: styles.permission,
      cell: ({ permission }) => <code>{permission}</code>,
    },
    {
      id: 'verdict',
      head: texts.result,
      cell: (verdict) => (
        <State icon={verdict.allowed ? 'gate-open' : 'gate-shut'} is={verdict.allowed ? 'good' : 'idle'}>
          {verdict.allowed ? texts.allowed : texts.notAllowed}
        </State>
      ),
    },
    {
      id: 'because',
      head: texts.reason,
      className: styles.because,
      cell: (verdict) => (
        <>
          {verdict.allowed || <span className="soft">{refusedBecause(verdict)}</span>}
          {verdict.from.map((source) => (
            <From key={`${source.kind} ${source['team-id']} ${source.gives}`} of={source} organization={organization} />
          ))}
        </>
      ),
    },
  ];
  return (
    <>
      <p className={styles.answer}>
        {isOwn ? texts.yourAccess : <bdi>{name ?? texts.noSuchUser}</bdi>}
        {texts.permissionCount(allowed, permissions.length)}
      </p>
      <Table
        label={texts.permissionsAndTheirSources}
        flush
        twoLines
        items={permissions}
        keyOf={({ permission }) => permission}
        columns={columns}
      />
    </>
  );
}

function From({ of, organization }: { readonly of: Source; readonly organization: string }) {
  const { 'team-id': team, 'team-name': name } = of;
  const isOfTeam = ['owners', 'organization-access', 'project-access', 'workspace-access'].includes(of.kind);
  return (
    <span className={styles.source}>
      {team !== null && (
        <Link to="/$organization/teams/$team" params={{ organization, team }}>
          <bdi>{name}</bdi>
        </Link>
      )}
      {isOfTeam && team === null && <span className="soft">{texts.aSecretTeam}</span>}
      {isOfTeam && ': '}
      {givenBy(of)}
    </span>
  );
}
