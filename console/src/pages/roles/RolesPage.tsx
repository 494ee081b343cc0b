import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type AccessSchemas, access } from '../../api/client.ts';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Tags } from '../../components/chip/Chip.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { Field } from '../../components/form/Field.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Table } from '../../components/table/Table.tsx';
import { Ago } from '../../components/time/Time.tsx';
import { counted } from '../../format/number.ts';
import { long } from '../../format/time.ts';
import { useMay } from '../../shell/may.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import styles from './roles.module.css';

const LIST = 'GET /auth/{cert_mount_path}/certs/';
/** Roles that one answer has. */
const MOST = 100;

const route = getRouteApi('/signed-in/~access/roles');

interface Row {
  readonly name: string;
  readonly info: AccessSchemas['CertRoleInfo'] | undefined;
}

/** The roles of a mount: whom each lets in, and what their tokens may. */
export function RolesPage() {
  const { mount = 'cert', name = '' } = route.useSearch();
  const navigate = useNavigate({ from: '/~access/roles' });
  const path = { cert_mount_path: mount };
  const inputOf = (after: string) => ({
    path,
    query: { list: 'true' as const, detail: true, limit: MOST, ...(after && { after }) },
  });
  const may = useMay([`auth/${mount}/certs/+`]);
  usePlace([{ label: 'Access' }, { label: `auth/${mount}` }, { label: 'Roles' }]);
  usePathLine({ request: access.request(LIST, inputOf('')), command: `lockkeeper list auth/${mount}/certs` });
  const roles = useInfiniteQuery({
    queryKey: [...access.key(LIST), mount],
    queryFn: ({ signal, pageParam }) => access.query(LIST, inputOf(pageParam)).queryFn({ signal }),
    initialPageParam: '',
    getNextPageParam: ({ data }) => (data.keys.length < MOST ? undefined : data.keys.at(-1)),
  });
  return (
    <>
      <PageHead
        title="Roles"
        lede={`Whom auth/${mount} lets in, and what their tokens may.`}
        actions={
          may(`auth/${mount}/certs/+`, 'create', 'update') && (
            <Link className={buttonClass('primary')} to="/~access/roles/~new" search={{ mount }}>
              New role
            </Link>
          )
        }
      />
      <Answered query={roles as never} what="The roles" missing={<code>list on auth/{mount}/certs</code>}>
        {() => {
          const all = (roles.data?.pages ?? []).flatMap(({ data }) =>
            data.keys.map((one): Row => ({ name: one, info: data.key_info?.[one] })),
          );
          const rows = all.filter((row) => row.name.includes(name.toLowerCase()));
          if (all.length === 0) {
            return (
              <Empty title="No roles" command={`lockkeeper write auth/${mount}/certs/web certificate=@ca.pem`}>
                A role says whose certificates are let in. Without one nobody is.
              </Empty>
            );
          }
          return (
            <>
              <div className={styles.filter}>
                <Field
                  label="Filter by name"
                  type="search"
                  value={name}
                  onText={(next) => void navigate({ search: (before) => ({ ...before, name: next }), replace: true })}
                />
                <p className="soft" role="status">
                  {counted(rows.length, 'role')}
                  {roles.hasNextPage && ' of those that are shown'}
                </p>
              </div>
              <RoleTable mount={mount} rows={rows} />
              {roles.hasNextPage && (
                <p className={styles.more}>
                  <Button onClick={() => void roles.fetchNextPage()}>
                    {roles.isFetchingNextPage ? 'Reading…' : 'Show more'}
                  </Button>
                </p>
              )}
            </>
          );
        }}
      </Answered>
    </>
  );
}

function RoleTable({ mount, rows }: { readonly mount: string; readonly rows: readonly Row[] }) {
  return (
    <Table
      label="Roles"
      items={rows}
      keyOf={({ name }) => name}
      columns={[
        {
          id: 'name',
          head: 'Name',
          isName: true,
          cell: ({ name }) => (
            <Link to="/~access/roles/$role" params={{ role: name }} search={{ mount }}>
              {name}
            </Link>
          ),
        },
        {
          id: 'authorities',
          head: 'Whose certificates',
          className: styles.wide,
          cell: ({ info }) =>
            info === undefined ? (
              <span className="soft">not for you to read</span>
            ) : (
              info.authorities.map((one) => <Authority key={one.subject + one.not_after} of={one} />)
            ),
        },
        {
          id: 'names',
          head: 'Names',
          className: styles.wide,
          cell: ({ info }) => info && <Tags names={namesOf(info)} most={3} />,
        },
        { id: 'policies', head: 'Policies', cell: ({ info }) => info && <Tags names={info.token_policies} most={3} /> },
        {
          id: 'ttl',
          head: 'Token lives',
          isNumber: true,
          cell: ({ info }) => info && (info.token_ttl > 0 ? long(info.token_ttl) : 'as the mount says'),
        },
      ]}
    />
  );
}

/** An authority near its end is a role that soon lets nobody in. */
const SOON_MS = 30 * 86_400_000;

function Authority({ of: { subject, not_after: end } }: { readonly of: AccessSchemas['CertRoleAuthority'] }) {
  const left = Date.parse(end) - Date.now();
  return (
    <span className={styles.authority}>
      <bdi>{subject}</bdi>
      {left < SOON_MS && (
        <span className={styles.bad}>
          {left < 0 ? ', ended ' : ', ends in '}
          <Ago time={end} />
          {left < 0 && ' ago'}
        </span>
      )}
    </span>
  );
}

/** What names a certificate has to have, of whatever kind. */
function namesOf(info: AccessSchemas['CertRoleInfo']): string[] {
  const { allowed_names, allowed_common_names, allowed_dns_sans, allowed_email_sans, allowed_uri_sans } = info;
  return [allowed_names, allowed_common_names, allowed_dns_sans, allowed_email_sans, allowed_uri_sans].flatMap(
    (names) => names ?? [],
  );
}
