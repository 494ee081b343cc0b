import type { ReactNode } from 'react';
import { count, counted } from '../../format/number.ts';
import { List } from '../list/List.tsx';
import { QueryResult } from '../page-states/QueryResult.tsx';
import { Search } from '../search/Search.tsx';
import type { Column } from '../table/columns.ts';
import styles from './role-list.module.css';
import * as texts from './texts.ts';
import type { Role, useRoles } from './use-roles.ts';

interface RoleListProps<Info> {
  readonly roles: ReturnType<typeof useRoles<Info>>;
  readonly columns: readonly Column<Role<Info>>[];
  /** Shown if the mount has no roles. */
  readonly empty: ReactNode;
  /** Capability that is needed to list roles. */
  readonly missing: ReactNode;
  /** Filter: part of a name. */
  readonly part: string;
  readonly onPart: (part: string) => void;
  readonly onOpen: (role: string) => void;
}

/** Virtualized list of the roles of a mount. */
export function RoleList<Info>({ roles, columns, empty, missing, part, onPart, onOpen }: RoleListProps<Info>) {
  return (
    <QueryResult query={roles.first} what={texts.theRoles} missing={missing}>
      {() =>
        roles.count === 0 ? (
          empty
        ) : (
          <>
            <div className={styles.filter}>
              <Search label={texts.filterByName} placeholder={texts.partOfAName} text={part} onText={onPart} />
              <p className="soft" role="status">
                {counted(roles.total, texts.role)}
                {roles.total < roles.count && texts.ofText(count(roles.count))}
              </p>
            </div>
            <List<Role<Info>>
              label={texts.roles}
              columns={columns}
              className={styles.list ?? ''}
              total={roles.total}
              row={roles.row}
              keyOf={(role) => role.name}
              onShow={roles.show}
              onOpen={(role) => onOpen(role.name)}
              sort=""
              onSort={() => {}}
            />
          </>
        )
      }
    </QueryResult>
  );
}

/** Returns a value of the role's details once they are loaded. */
export const known = <Info, T>({ info }: Role<Info>, shown: (info: Info) => T): T | undefined =>
  info === undefined || info === 'unreadable' ? undefined : shown(info);

/** Like `known`, with a note if the details are not readable. */
export const knownOrNot = <Info,>(role: Role<Info>, shown: (info: Info) => ReactNode): ReactNode =>
  role.info === 'unreadable' ? <span className="soft">{texts.noPermissionToRead}</span> : known(role, shown);
