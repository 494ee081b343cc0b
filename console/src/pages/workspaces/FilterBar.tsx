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
import styles from './workspaces.module.css';

/** Those that a menu can show; others are typed into the address. */
const MOST = '50';

interface FilterBarProps {
  readonly organization: string;
  readonly filters: Filters;
  /** Of all that the other filters leave; undefined while they are on their way. */
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

/** What the list shows: all of it is in the address. */
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
        label="Filter by name"
        placeholder="Name, or part of it: net*-prod"
        text={filters.name ?? ''}
        onText={(name) => onChange({ name })}
      />
      <Chips>
        {filters.project && (
          <FilterChip
            name="project"
            value={projectName ?? filters.project}
            onRemove={() => onChange({ project: undefined })}
          />
        )}
        {filters.tags && (
          <FilterChip name="tag" value={chosen.join(', ')} onRemove={() => onChange({ tags: undefined })} />
        )}
        {filters.without && (
          <FilterChip name="tag is not" value={filters.without} onRemove={() => onChange({ without: undefined })} />
        )}
        {filters.mode && (
          <FilterChip name="execution" value={filters.mode} onRemove={() => onChange({ mode: undefined })} />
        )}
        {filters.engine && (
          <FilterChip name="engine" value={filters.engine} onRemove={() => onChange({ engine: undefined })} />
        )}
        {filters.locked === 'no' && (
          <FilterChip name="lock" value="free" onRemove={() => onChange({ locked: undefined })} />
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
          <MenuGroup heading="Project">
            {projects.data?.data.map(({ id, attributes: { name } }) => (
              <MenuItem key={id} checked={id === filters.project} onChoose={() => onChange({ project: id })}>
                {name}
              </MenuItem>
            ))}
          </MenuGroup>
          <MenuGroup heading="Tag">
            {tags.data?.data.map(({ id, attributes: { name } }) => (
              <MenuItem key={id} checked={chosen.includes(name)} onChoose={() => addTag(name)}>
                {name}
              </MenuItem>
            ))}
          </MenuGroup>
          <MenuGroup heading="Execution">
            {['remote', 'agent', 'local'].map((mode) => (
              <MenuItem key={mode} checked={mode === filters.mode} onChoose={() => onChange({ mode })}>
                {mode}
              </MenuItem>
            ))}
          </MenuGroup>
          <MenuGroup heading="Engine">
            {['opentofu', 'terraform'].map((engine) => (
              <MenuItem key={engine} checked={engine === filters.engine} onChoose={() => onChange({ engine })}>
                {engine}
              </MenuItem>
            ))}
          </MenuGroup>
          <MenuGroup heading="Lock">
            <MenuItem checked={filters.locked === 'yes'} onChoose={() => onChange({ locked: 'yes' })}>
              locked
            </MenuItem>
            <MenuItem checked={filters.locked === 'no'} onChoose={() => onChange({ locked: 'no' })}>
              free
            </MenuItem>
          </MenuGroup>
        </Menu>
        <ColumnMenu columns={filters.columns ?? ''} onColumns={(columns) => onChange({ columns })} />
      </Chips>
      <div className={styles.quick}>
        <Chips label="Quick filters">
          {STATUS_GROUPS.map((group) => (
            <CountChip
              key={group}
              label={group}
              count={counts && count(inGroup(counts, group))}
              on={filters.status === group}
              onToggle={() => onChange({ status: filters.status === group ? undefined : group })}
            />
          ))}
          <CountChip
            label="locked"
            count={counts && count(counts.locked)}
            on={filters.locked === 'yes'}
            onToggle={() => onChange({ locked: filters.locked === 'yes' ? undefined : 'yes' })}
          />
        </Chips>
      </div>
    </div>
  );
}

/** Which columns there are beside those that most ask for. */
function ColumnMenu({
  columns,
  onColumns,
}: {
  readonly columns: string;
  readonly onColumns: (columns: string) => void;
}) {
  const shown = columns.split(',').filter(Boolean);
  return (
    <Menu className={ADD_CHIP} button="Columns">
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
