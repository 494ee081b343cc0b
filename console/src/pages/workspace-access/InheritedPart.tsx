import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { rightsOf } from './levels.ts';
import { Matrix } from './Matrix.tsx';
import * as texts from './texts.ts';

interface OfProjectProps {
  readonly organization: string;
  readonly project: string;
  readonly teams: ReadonlyMap<string, string>;
}

/** Teams with access to all workspaces of the project. Shown only to users with permission to see them. */
export function OfProject({ organization, project, teams }: OfProjectProps) {
  const path = { project_id: project };
  const shown = useQuery(workspaces.query('GET /projects/{project_id}', { path }));
  const may = shown.data?.data.attributes.permissions['can-read-teams'] ?? false;
  const query = { 'filter[project][id]': project, 'page[size]': '100' };
  const list = useQuery({ ...workspaces.query('GET /team-projects', { query }), enabled: may });
  if (!may) return null;
  return (
    <Section
      title={texts.projectAccess}
      end={
        <Link to="/$organization/projects/$project/access" params={{ organization, project }} className="link">
          {shown.data?.data.attributes.name}
        </Link>
      }
    >
      <QueryResult query={list} what={texts.accessOfTeamsTo}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">{texts.noTeamHasAccess}</p>
          ) : (
            <Matrix
              label={texts.accessThroughTheProject}
              organization={organization}
              rows={data.map(({ id, attributes, relationships }) => ({
                id,
                team: relationships.team.data?.id ?? '',
                level: attributes.access,
                rights: rightsOf({
                  ...attributes['workspace-access'],
                  'workspace-locking': attributes['workspace-access'].locking,
                }),
              }))}
              nameOf={(team) => teams.get(team) ?? team}
              actions={() => null}
            />
          )
        }
      </QueryResult>
    </Section>
  );
}

type Team = Resources['teams'];
type Flag = keyof Team['attributes']['organization-access'];

/** Organization permissions that give access to every workspace, in words. */
const REACHING: readonly (readonly [Flag, string])[] = [
  ['manage-workspaces', texts.managesAllWorkspaces],
  ['manage-projects', texts.managesAllProjectsAnd],
  ['read-workspaces', texts.readsAllWorkspaces],
  ['manage-run-tasks', texts.managesRunTasks],
  ['manage-policies', texts.readsRunsBecauseIt],
  ['manage-policy-overrides', texts.readsRunsBecauseIt2],
  ['manage-agent-pools', texts.readsRunsBecauseIt3],
];

function reasons({ attributes }: Team): string {
  if (attributes.name === 'owners') return texts.ownsTheOrganizationFullAccess;
  return REACHING.filter(([flag]) => attributes['organization-access'][flag])
    .map(([, words]) => words)
    .join(', ');
}

/** Teams whose organization permissions give access to every workspace. */
export function OfOrganization({
  organization,
  teams,
}: {
  readonly organization: string;
  readonly teams: readonly Team[];
}) {
  const reaching = teams.filter((team) => reasons(team) !== '');
  if (reaching.length === 0) return null;
  return (
    <Section title={texts.organizationAccess}>
      <Table
        label={texts.accessThroughTheOrganization}
        flush
        twoLines
        items={reaching}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'team',
            head: texts.team,
            isName: true,
            cell: ({ id, attributes }) => (
              <Link to="/$organization/teams/$team" params={{ organization, team: id }}>
                <bdi>{attributes.name}</bdi>
              </Link>
            ),
          },
          { id: 'because', head: texts.accessToAllWorkspaces, className: 'soft', cell: reasons },
        ]}
      />
    </Section>
  );
}
