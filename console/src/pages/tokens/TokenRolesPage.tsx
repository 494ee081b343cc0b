import { Link } from '@tanstack/react-router';
import { useAccessList } from '../../api/access-list.ts';
import { access } from '../../api/client.ts';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Empty } from '../../components/faces/Faces.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Table } from '../../components/table/Table.tsx';
import { counted } from '../../format/number.ts';
import { Missing } from '../../shell/Missing.tsx';
import { useMay } from '../../shell/may.ts';
import { TokensFrame } from './TokensFrame.tsx';
import styles from './tokens.module.css';

const LIST = 'GET /auth/token/roles/';
const PATH = 'auth/token/roles';
const PAGE = 200;

/** What tokens can be made of that their makers do not have themselves. */
export function TokenRolesPage() {
  const query = { list: 'true', limit: PAGE } as const;
  const may = useMay([`${PATH}/+`]);
  usePathLine({ request: access.request(LIST, { query }), command: `lockkeeper list ${PATH}` });
  const roles = useAccessList((after) => access.query(LIST, { query: { ...query, after } }), PAGE);
  return (
    <TokensFrame
      title="Token roles"
      beside={roles.query.data && <span className="soft">{counted(roles.query.data.length, 'role')}</span>}
      actions={
        may(`${PATH}/+`, 'create', 'update') && (
          <Link className={buttonClass('primary')} to="/~access/token-roles/new">
            New token role
          </Link>
        )
      }
    >
      <Answered query={roles.query} what="Token roles" missing={<Missing capability="list" path={PATH} />}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No token role yet" command={`lockkeeper write ${PATH}/NAME allowed_policies=…`}>
              A token role lets its users hand out tokens with policies that they do not have themselves.
            </Empty>
          ) : (
            <Table
              label="Token roles"
              items={all}
              keyOf={({ key }) => key}
              className={styles.list ?? ''}
              columns={[
                {
                  id: 'name',
                  head: 'Name',
                  isName: true,
                  cell: ({ key }) => (
                    <Link to="/~access/token-roles/role/$role" params={{ role: key }}>
                      {key}
                    </Link>
                  ),
                },
              ]}
            />
          )
        }
      </Answered>
      {roles.hasMore && (
        <p className={styles.more}>
          <Button onClick={roles.more}>More</Button>
        </p>
      )}
    </TokensFrame>
  );
}
