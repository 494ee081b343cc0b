import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';
import { Answered } from '../../components/faces/Answered.tsx';
import { Section } from '../../components/section/Section.tsx';
import { Table } from '../../components/table/Table.tsx';
import { rightsOf } from './levels.ts';
import { Matrix } from './Matrix.tsx';

interface OfProjectProps {
  readonly organization: string;
  readonly project: string;
  readonly teams: ReadonlyMap<string, string>;
}

/** Teams with access to all workspaces of the project, for whoever may see them. */
export function OfProject({ organization, project, teams }: OfProjectProps) {
  const path = { project_id: project };
  const shown = useQuery(workspaces.query('GET /projects/{project_id}', { path }));
  const may = shown.data?.data.attributes.permissions['can-read-teams'] ?? false;
  const query = { 'filter[project][id]': project, 'page[size]': '100' };
  const list = useQuery({ ...workspaces.query('GET /team-projects', { query }), enabled: may });
  if (!may) return null;
  return (
    <Section
      title="Of its project"
      end={
        <Link to="/$organization/projects/$project/access" params={{ organization, project }} className="link">
          {shown.data?.data.attributes.name}
        </Link>
      }
    >
      <Answered query={list} what="Access of teams to the project">
        {({ data }) =>
          data.length === 0 ? (
            <p className="soft">No team has access to all of the project.</p>
          ) : (
            <Matrix
              label="Access by the project"
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
      </Answered>
    </Section>
  );
}

type Team = Resources['teams'];
type Flag = keyof Team['attributes']['organization-access'];

/** What reaches every workspace, in words. */
const REACHING: readonly (readonly [Flag, string])[] = [
  ['manage-workspaces', 'manages all workspaces'],
  ['manage-projects', 'manages all projects and what is in them'],
  ['read-workspaces', 'reads all workspaces'],
  ['manage-run-tasks', 'manages run tasks'],
  ['manage-policies', 'reads runs, since it manages policies'],
  ['manage-policy-overrides', 'reads runs, since it overrides policies'],
  ['manage-agent-pools', 'reads runs, since it manages agent pools'],
];

function reasons({ attributes }: Team): string {
  if (attributes.name === 'owners') return 'owns the organization: everything';
  return REACHING.filter(([flag]) => attributes['organization-access'][flag])
    .map(([, words]) => words)
    .join(', ');
}

/** Teams that reach every workspace of the organization. */
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
    <Section title="Of the organization">
      <Table
        label="Access by the organization"
        flush
        twoLines
        items={reaching}
        keyOf={({ id }) => id}
        columns={[
          {
            id: 'team',
            head: 'Team',
            isName: true,
            cell: ({ id, attributes }) => (
              <Link to="/$organization/teams/$team" params={{ organization, team: id }}>
                <bdi>{attributes.name}</bdi>
              </Link>
            ),
          },
          { id: 'because', head: 'In all workspaces', className: 'soft', cell: reasons },
        ]}
      />
    </Section>
  );
}
