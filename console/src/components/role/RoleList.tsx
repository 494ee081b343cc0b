import type { ReactNode } from 'react';
import { count, counted } from '../../format/number.ts';
import { Answered } from '../faces/Answered.tsx';
import { List } from '../list/List.tsx';
import { Search } from '../search/Search.tsx';
import type { Column } from '../table/columns.ts';
import styles from './role-list.module.css';
import type { Role, useRoles } from './use-roles.ts';

interface RoleListProps<Info> {
  readonly roles: ReturnType<typeof useRoles<Info>>;
  readonly columns: readonly Column<Role<Info>>[];
  /** Where there is none. */
  readonly empty: ReactNode;
  /** What it takes to see them. */
  readonly missing: ReactNode;
  /** The part of a name that is looked for. */
  readonly part: string;
  readonly onPart: (part: string) => void;
  readonly onOpen: (role: string) => void;
}

/** The roles of a mount, however many there are. */
export function RoleList<Info>({ roles, columns, empty, missing, part, onPart, onOpen }: RoleListProps<Info>) {
  return (
    <Answered query={roles.first} what="The roles" missing={missing}>
      {() =>
        roles.count === 0 ? (
          empty
        ) : (
          <>
            <div className={styles.filter}>
              <Search label="Filter by name" placeholder="Part of a name" text={part} onText={onPart} />
              <p className="soft" role="status">
                {counted(roles.total, 'role')}
                {roles.total < roles.count && ` of ${count(roles.count)}`}
              </p>
            </div>
            <List<Role<Info>>
              label="Roles"
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
    </Answered>
  );
}

/** What is shown of a role, once that is known. */
export const known = <Info, T>({ info }: Role<Info>, shown: (info: Info) => T): T | undefined =>
  info === undefined || info === 'unreadable' ? undefined : shown(info);

/** The same, in the column that says so where it may not be read. */
export const knownOrNot = <Info,>(role: Role<Info>, shown: (info: Info) => ReactNode): ReactNode =>
  role.info === 'unreadable' ? <span className="soft">not for you to read</span> : known(role, shown);
