import { Link } from '@tanstack/react-router';
import { useAccessList } from '../../api/access-list.ts';
import { access } from '../../api/client.ts';
import { Button, buttonClass } from '../../components/button/Button.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Table } from '../../components/table/Table.tsx';
import { counted } from '../../format/number.ts';
import { Missing } from '../../shell/Missing.tsx';
import { useMay } from '../../shell/may.ts';
import { TokensFrame } from './TokensFrame.tsx';
import * as texts from './texts.ts';
import styles from './tokens.module.css';

const LIST = 'GET /auth/token/roles/';
const PATH = 'auth/token/roles';
const PAGE = 200;

/** Lists the token roles. */
export function TokenRolesPage() {
  const query = { list: 'true', limit: PAGE } as const;
  const may = useMay([`${PATH}/+`]);
  usePathLine({ request: access.request(LIST, { query }), command: `lockkeeper list ${PATH}` });
  const roles = useAccessList((after) => access.query(LIST, { query: { ...query, after } }), PAGE);
  return (
    <TokensFrame
      title={texts.tokenRoles}
      beside={roles.query.data && <span className="soft">{counted(roles.query.data.length, texts.role)}</span>}
      actions={
        may(`${PATH}/+`, 'create', 'update') && (
          <Link className={buttonClass('primary')} to="/~access/token-roles/new">
            {texts.newTokenRole}
          </Link>
        )
      }
    >
      <QueryResult query={roles.query} what={texts.tokenRoles} missing={<Missing capability="list" path={PATH} />}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={texts.noTokenRolesYet} command={`lockkeeper write ${PATH}/NAME allowed_policies=…`}>
              {texts.aTokenRoleAllows2}
            </Empty>
          ) : (
            <Table
              label={texts.tokenRoles}
              items={all}
              keyOf={({ key }) => key}
              className={styles.list ?? ''}
              columns={[
                {
                  id: 'name',
                  head: texts.name,
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
      </QueryResult>
      {roles.hasMore && (
        <p className={styles.more}>
          <Button onClick={roles.more}>{texts.loadMore}</Button>
        </p>
      )}
    </TokensFrame>
  );
}
