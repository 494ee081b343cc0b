import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { access } from '../../api/client.ts';
import type { Schemas } from '../../api/generated/access.ts';
import { count, counted } from '../../format/number.ts';
import { useMay } from '../../shell/may.ts';
import explain from './explain.module.css';
import styles from './policies.module.css';
import * as texts from './texts.ts';

export type Uses = Schemas['PolicyUses'];
/** Maximum number of uses that the server counts. */
const MOST_COUNTED = 1000;

/** Loads the uses of a policy, if the token may read them. */
export function useUses(name: string): Uses | undefined {
  const path = `sys/policies/uses/${name}`;
  const may = useMay([path]);
  const uses: UseQueryResult<Schemas['PolicyUsesAnswer']> = useQuery({
    ...access.query('GET /sys/policies/uses/{name}', { path: { name } }),
    enabled: name !== '' && may(path, 'read'),
  });
  return uses.data?.data;
}

/** Summarizes the uses: `2 roles and 1 group`. */
export function summaryOf({ counts }: Uses): string {
  const told = (value: number, one: string, many: string) =>
    value === 0 ? [] : [value >= MOST_COUNTED ? texts.orMore(count(value), many) : counted(value, one, many)];
  const parts = [
    ...told(counts.roles, texts.role, texts.roles),
    ...told(counts.token_roles, texts.tokenRole, texts.tokenRoles),
    ...told(counts.entities, texts.entity, texts.entities),
    ...told(counts.groups, texts.group, texts.groups),
  ];
  if (parts.length < 2) return parts[0] ?? texts.noRoleEntityOrGroup;
  return texts.and(parts.slice(0, -1).join(', '), parts.at(-1));
}

/** Lists the uses by name. */
export function UsedBy({ uses }: { readonly uses: Uses }) {
  const { roles, token_roles: tokenRoles, entities, groups, counts } = uses;
  return (
    <div className={explain.part}>
      <h2>{texts.usedBy2}</h2>
      {Object.values(counts).every((one) => one === 0) ? (
        <p className="soft">{texts.noRoleEntityOr}</p>
      ) : (
        <dl className={styles.sources}>
          <Kind label={texts.roles} total={counts.roles}>
            {roles.map(({ mount_path: mount, name }) => (
              <li key={`${mount}${name}`}>
                {name} <span className="soft">{texts.at(mount)}</span>
              </li>
            ))}
          </Kind>
          <Kind label={texts.tokenRoles} total={counts.token_roles}>
            {tokenRoles.map((name) => (
              <li key={name}>
                <Link className="link" to="/~access/token-roles/role/$role" params={{ role: name }}>
                  {name}
                </Link>
              </li>
            ))}
          </Kind>
          <Kind label={texts.entities} total={counts.entities}>
            {entities.map(({ id, name }) => (
              <li key={id}>
                <Link className="link" to="/~access/identities/entity/$id" params={{ id }}>
                  {name}
                </Link>
              </li>
            ))}
          </Kind>
          <Kind label={texts.groups} total={counts.groups}>
            {groups.map(({ id, name }) => (
              <li key={id}>
                <Link className="link" to="/~access/identities/group/$id" params={{ id }}>
                  {name}
                </Link>
              </li>
            ))}
          </Kind>
        </dl>
      )}
    </div>
  );
}

/** @limit names of one kind that the page shows, names -> the others are counted */
const MOST_SHOWN = 10;

function Kind({ label, total, children }: { label: string; total: number; children: readonly ReactNode[] }) {
  if (total === 0) return null;
  return (
    <>
      <dt className="soft">{label}</dt>
      <dd>
        <ul>
          {children.slice(0, MOST_SHOWN)}
          {total > MOST_SHOWN && <li className="soft">{texts.andMore2(count(total - MOST_SHOWN))}</li>}
        </ul>
      </dd>
    </>
  );
}
