import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { ADD_CHIP, Chips, CountChip, FilterChip } from '../../components/chip/Chip.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { Menu, MenuGroup, MenuItem } from '../../components/menu/Menu.tsx';
import { Search } from '../../components/search/Search.tsx';
import { count } from '../../format/number.ts';
import styles from './runs.module.css';
import {
  inGroup,
  OPERATIONS,
  queryOf,
  type RunCounts,
  type RunsSearch,
  SOURCES,
  STATUS_GROUPS,
  type StatusGroup,
} from './search.ts';
import * as texts from './texts.ts';

/**
 * Source of the counts by status: for a workspace each group is requested; for an organization they come with the list.
 */
type Counted =
  | { readonly workspaceId: string; readonly counts?: undefined }
  | { readonly workspaceId?: undefined; readonly counts: RunCounts | undefined };

interface RunFiltersProps {
  readonly of: Counted;
  readonly search: RunsSearch;
  readonly onChange: (change: { readonly [Key in keyof RunsSearch]?: RunsSearch[Key] | undefined }) => void;
}

/** Filters of a run list, stored in the URL. */
export function RunFilters({ of, search, onChange }: RunFiltersProps) {
  return (
    <div className={styles.filters}>
      <Search
        label={texts.searchRuns}
        placeholder={texts.messageUserOrId}
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
              {texts.filter}
            </>
          }
        >
          <MenuGroup heading={texts.operation}>
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
          <MenuGroup heading={texts.source}>
            {Object.entries(SOURCES).map(([value, label]) => (
              <MenuItem key={value} checked={value === search.source} onChoose={() => onChange({ source: value })}>
                {label}
              </MenuItem>
            ))}
          </MenuGroup>
        </Menu>
      </Chips>
      <div className={styles.quick}>
        <Chips label={texts.status}>
          {STATUS_GROUPS.map((group) => (
            <GroupChip
              key={group}
              group={group}
              of={of}
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
  readonly of: Counted;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}

function GroupChip({ group, of, isOn, onToggle }: GroupChipProps) {
  const { workspaceId } = of;
  const counted = useQuery({
    ...workspaces.query('GET /workspaces/{workspace_id}/runs', {
      path: { workspace_id: workspaceId ?? '' },
      query: { ...queryOf({ status: group }), 'page[size]': '1' },
    }),
    enabled: workspaceId !== undefined,
    staleTime: 30_000,
  });
  const total = counted.data?.meta.pagination['total-count'];
  const shown =
    workspaceId === undefined ? of.counts && inGroup(of.counts, group) : total === undefined ? undefined : count(total);
  return <CountChip label={texts.statusGroups[group]} count={shown} on={isOn} onToggle={onToggle} />;
}
