import { useQuery } from '@tanstack/react-query';
import { workspaces } from '../../api/client.ts';
import { ADD_CHIP, Chips, CountChip, FilterChip } from '../../components/chip/Chip.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { Menu, MenuGroup, MenuItem } from '../../components/menu/Menu.tsx';
import { Search } from '../../components/search/Search.tsx';
import { count } from '../../format/number.ts';
import { MORE_COLUMNS } from './columns.tsx';
import { type Filters, STATUS_GROUPS, type StatusGroup } from './filters.ts';
import { STATUSES } from './statuses.ts';
import * as texts from './texts.ts';
import styles from './workspaces.module.css';

/** Maximum number of entries that a menu shows; others can only be entered in the URL. */
const MOST = '50';

interface FilterBarProps {
  readonly organization: string;
  readonly filters: Filters;
  /** Counts over all workspaces that match the other filters; undefined while loading. */
  readonly counts: Counts | undefined;
  readonly onChange: (change: Filters | { readonly [Key in keyof Filters]?: undefined }) => void;
}

interface Counts {
  readonly total: number;
  readonly locked: number;
  readonly 'run-status': Readonly<Record<string, number>>;
}

const inGroup = (counts: Counts, group: StatusGroup): number =>
  STATUSES[group].reduce((sum, status) => sum + (counts['run-status'][status] ?? 0), 0);

/** Filters of the list. The URL contains all of them. */
export function FilterBar({ organization, filters, counts, onChange }: FilterBarProps) {
  const path = { organization_name: organization };
  const projects = useQuery(
    workspaces.query('GET /organizations/{organization_name}/projects', { path, query: { 'page[size]': MOST } }),
  );
  const tags = useQuery(
    workspaces.query('GET /organizations/{organization_name}/tags', { path, query: { 'page[size]': MOST } }),
  );
  const projectName = projects.data?.data.find(({ id }) => id === filters.project)?.attributes.name;
  const chosen = filters.tags?.split(',') ?? [];
  const addTag = (tag: string) => onChange({ tags: [...new Set([...chosen, tag])].join(',') });
  return (
    <div className={styles.filters}>
      <Search
        label={texts.filterByName}
        placeholder={texts.nameOrPartOf}
        text={filters.name ?? ''}
        onText={(name) => onChange({ name })}
      />
      <Chips>
        {filters.project && (
          <FilterChip
            name={texts.projectFilter}
            value={projectName ?? filters.project}
            onRemove={() => onChange({ project: undefined })}
          />
        )}
        {filters.tags && (
          <FilterChip name={texts.tagFilter} value={chosen.join(', ')} onRemove={() => onChange({ tags: undefined })} />
        )}
        {filters.without && (
          <FilterChip
            name={texts.excludedTagFilter}
            value={filters.without}
            onRemove={() => onChange({ without: undefined })}
          />
        )}
        {filters.mode && (
          <FilterChip
            name={texts.executionFilter}
            value={filters.mode}
            onRemove={() => onChange({ mode: undefined })}
          />
        )}
        {filters.engine && (
          <FilterChip
            name={texts.engineFilter}
            value={filters.engine}
            onRemove={() => onChange({ engine: undefined })}
          />
        )}
        {filters.locked === 'no' && (
          <FilterChip name={texts.lockFilter} value={texts.unlocked} onRemove={() => onChange({ locked: undefined })} />
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
          <MenuGroup heading={texts.project}>
            {projects.data?.data.map(({ id, attributes: { name } }) => (
              <MenuItem key={id} checked={id === filters.project} onChoose={() => onChange({ project: id })}>
                {name}
              </MenuItem>
            ))}
          </MenuGroup>
          <MenuGroup heading={texts.tag3}>
            {tags.data?.data.map(({ id, attributes: { name } }) => (
              <MenuItem key={id} checked={chosen.includes(name)} onChoose={() => addTag(name)}>
                {name}
              </MenuItem>
            ))}
          </MenuGroup>
          <MenuGroup heading={texts.execution}>
            {['remote', 'agent', 'local'].map((mode) => (
              <MenuItem key={mode} checked={mode === filters.mode} onChoose={() => onChange({ mode })}>
                {mode}
              </MenuItem>
            ))}
          </MenuGroup>
          <MenuGroup heading={texts.engine}>
            {['opentofu', 'terraform'].map((engine) => (
              <MenuItem key={engine} checked={engine === filters.engine} onChoose={() => onChange({ engine })}>
                {engine}
              </MenuItem>
            ))}
          </MenuGroup>
          <MenuGroup heading={texts.lock3}>
            <MenuItem checked={filters.locked === 'yes'} onChoose={() => onChange({ locked: 'yes' })}>
              {texts.locked}
            </MenuItem>
            <MenuItem checked={filters.locked === 'no'} onChoose={() => onChange({ locked: 'no' })}>
              {texts.unlocked}
            </MenuItem>
          </MenuGroup>
        </Menu>
        <ColumnMenu columns={filters.columns ?? ''} onColumns={(columns) => onChange({ columns })} />
      </Chips>
      <div className={styles.quick}>
        <Chips label={texts.quickFilters}>
          {STATUS_GROUPS.map((group) => (
            <CountChip
              key={group}
              label={texts.groups[group]}
              count={counts && count(inGroup(counts, group))}
              on={filters.status === group}
              onToggle={() => onChange({ status: filters.status === group ? undefined : group })}
            />
          ))}
          <CountChip
            label={texts.locked}
            count={counts && count(counts.locked)}
            on={filters.locked === 'yes'}
            onToggle={() => onChange({ locked: filters.locked === 'yes' ? undefined : 'yes' })}
          />
        </Chips>
      </div>
    </div>
  );
}

/** Menu of the optional columns. */
function ColumnMenu({
  columns,
  onColumns,
}: {
  readonly columns: string;
  readonly onColumns: (columns: string) => void;
}) {
  const shown = columns.split(',').filter(Boolean);
  return (
    <Menu className={ADD_CHIP} button={texts.columns}>
      {MORE_COLUMNS.map((column) => {
        const isShown = shown.includes(column);
        const next = isShown ? shown.filter((one) => one !== column) : [...shown, column];
        return (
          <MenuItem key={column} checked={isShown} onChoose={() => onColumns(next.join())}>
            {column}
          </MenuItem>
        );
      })}
    </Menu>
  );
}
