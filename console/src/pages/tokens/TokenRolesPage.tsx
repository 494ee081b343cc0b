import { Link } from '@tanstack/react-router';
import { useAccessList } from '../../api/access-list.ts';
import { access } from '../../api/client.ts';
import { AccessList } from '../../components/access-list/AccessList.tsx';
import { buttonClass } from '../../components/button/Button.tsx';
import { Empty } from '../../components/page-states/PageStates.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
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
      <AccessList
        list={roles}
        label={texts.tokenRoles}
        className={styles.list}
        missing={<Missing capability="list" path={PATH} />}
        empty={
          <Empty title={texts.noTokenRolesYet} command={`lockkeeper write ${PATH}/NAME allowed_policies=…`}>
            {texts.aTokenRoleAllows2}
          </Empty>
        }
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
    </TokensFrame>
  );
}
