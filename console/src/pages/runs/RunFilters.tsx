import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { ADD_CHIP, Chips, CountChip, FilterChip } from '../../components/chip/Chip.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { Menu, MenuGroup, MenuItem } from '../../components/menu/Menu.tsx';
import { Search } from '../../components/search/Search.tsx';
import { count } from '../../format/number.ts';
import styles from './runs.module.css';
import { OPERATIONS, queryOf, type RunsSearch, SOURCES, STATUS_GROUPS, type StatusGroup } from './search.ts';

interface RunFiltersProps {
  /** Whose runs are counted by their status; nobody counts those of an organization. */
  readonly workspaceId: string | undefined;
  readonly search: RunsSearch;
  readonly onChange: (change: { readonly [Key in keyof RunsSearch]?: RunsSearch[Key] | undefined }) => void;
}

/** Which runs are shown: all of it is in the address. */
export function RunFilters({ workspaceId, search, onChange }: RunFiltersProps) {
  return (
    <div className={styles.filters}>
      <Search
        label="Search runs"
        placeholder="Message, person or id"
        text={search.search ?? ''}
        onText={(text) => onChange({ search: text || undefined })}
      />
      <Chips>
        {search.operation && (
          <FilterChip
            name="operation"
            value={OPERATIONS[search.operation] ?? ''}
            onRemove={() => onChange({ operation: undefined })}
          />
        )}
        {search.source && (
          <FilterChip
            name="source"
            value={SOURCES[search.source] ?? ''}
            onRemove={() => onChange({ source: undefined })}
          />
        )}
        {search.workspace && (
          <FilterChip name="workspace" value={search.workspace} onRemove={() => onChange({ workspace: undefined })} />
        )}
        <Menu
          className={ADD_CHIP}
          button={
            <>
              <Icon name="plus" />
              Filter
            </>
          }
        >
          <MenuGroup heading="Operation">
            {Object.entries(OPERATIONS).map(([value, label]) => (
              <MenuItem
                key={value}
                checked={value === search.operation}
                onChoose={() => onChange({ operation: value })}
              >
                {label}
              </MenuItem>
            ))}
          </MenuGroup>
          <MenuGroup heading="Source">
            {Object.entries(SOURCES).map(([value, label]) => (
              <MenuItem key={value} checked={value === search.source} onChoose={() => onChange({ source: value })}>
                {label}
              </MenuItem>
            ))}
          </MenuGroup>
        </Menu>
      </Chips>
      <div className={styles.quick}>
        <Chips label="By state">
          {STATUS_GROUPS.map((group) => (
            <GroupChip
              key={group}
              group={group}
              workspaceId={workspaceId}
              isOn={search.status === group}
              onToggle={() => onChange({ status: search.status === group ? undefined : group })}
            />
          ))}
        </Chips>
      </div>
    </div>
  );
}

interface GroupChipProps {
  readonly group: StatusGroup;
  readonly workspaceId: string | undefined;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}

function GroupChip({ group, workspaceId, isOn, onToggle }: GroupChipProps) {
  const counted = useQuery({
    ...workspaces.query('GET /workspaces/{workspace_id}/runs', {
      path: { workspace_id: workspaceId ?? '' },
      query: { ...queryOf({ status: group }), 'page[size]': '1' },
    }),
    enabled: workspaceId !== undefined,
    staleTime: 30_000,
  });
  const total = counted.data?.meta.pagination['total-count'];
  const shown = total === undefined ? undefined : count(total);
  return <CountChip label={group} count={workspaceId === undefined ? null : shown} on={isOn} onToggle={onToggle} />;
}
