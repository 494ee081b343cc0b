import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Resources, workspaces } from '../../api/client.ts';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import type { Column } from '../../components/table/columns.ts';
import { Table } from '../../components/table/Table.tsx';
import { counted } from '../../format/number.ts';
import { day } from '../../format/time.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';

const LIST = ['GET /organizations', { query: { 'page[size]': '100' } }] as const;

type Organization = Resources['organizations'];

const COLUMNS: readonly Column<Organization>[] = [
  {
    id: 'name',
    head: 'Name',
    isName: true,
    cell: ({ attributes: { name } }) => (
      <Link to="/$organization/workspaces" params={{ organization: name }}>
        {name}
      </Link>
    ),
  },
  { id: 'mode', head: 'Execution mode', cell: ({ attributes }) => attributes['default-execution-mode'] },
  { id: 'email', head: 'Email', cell: ({ attributes }) => attributes.email },
  { id: 'created', head: 'Created', isNumber: true, cell: ({ attributes }) => day(attributes['created-at']) },
];

/** Which organizations there are for whoever asks. */
export function OrganizationsPage() {
  usePlace([{ label: 'Organizations' }]);
  usePathLine({ request: workspaces.request(...LIST) });
  const organizations = useQuery(workspaces.query(...LIST));
  const all = organizations.data?.data;
  return (
    <>
      <PageHead
        title="Organizations"
        beside={all && <span className="soft">{counted(all.length, 'organization')}</span>}
      />
      <Answered query={organizations} what="Organizations">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="No organization yet" command="lockkeeper api POST /api/v2/organizations">
              An organization holds workspaces, teams and runs. You are a member of none; make one, or be invited.
            </Empty>
          ) : (
            <Table label="Organizations" columns={COLUMNS} items={data} keyOf={({ id }) => id} />
          )
        }
      </Answered>
    </>
  );
}
