import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { ADD_CHIP, Chips, CountChip, FilterChip } from '../../components/chip/Chip.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { Menu, MenuGroup, MenuItem } from '../../components/menu/Menu.tsx';
import { Keys } from '../../components/path-line/Keys.tsx';
import { count } from '../../format/number.ts';
import { useShortcuts } from '../../keyboard/shortcuts.ts';
import { type Filters, queryOf, STATUS_GROUPS, type StatusGroup } from './filters.ts';
import { STATUSES } from './statuses.ts';
import styles from './workspaces.module.css';

/** Milliseconds without a key before what was typed is asked for. */
const PAUSE_MS = 200;
/** Those that a menu can show; others are typed into the address. */
const MOST = '50';

interface FilterBarProps {
  readonly organization: string;
  readonly filters: Filters;
  readonly onChange: (change: Filters | { readonly [Key in keyof Filters]?: undefined }) => void;
}

/** What the list shows: all of it is in the address. */
export function FilterBar({ organization, filters, onChange }: FilterBarProps) {
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
      <NameFilter name={filters.name ?? ''} onChange={(name) => onChange({ name })} />
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
        </Menu>
      </Chips>
      <div className={styles.quick}>
        <Chips label="Quick filters">
          {STATUS_GROUPS.map((group) => (
            <GroupChip key={group} group={group} {...{ organization, filters, onChange }} />
          ))}
        </Chips>
      </div>
    </div>
  );
}

/** How many workspaces have a latest run in that state, and the filter for them. */
function GroupChip({ group, organization, filters, onChange }: FilterBarProps & { readonly group: StatusGroup }) {
  const query = { ...queryOf({ status: group }, STATUSES), 'page[size]': '1' };
  const counted = useQuery({
    ...workspaces.query('GET /organizations/{organization_name}/workspaces', {
      path: { organization_name: organization },
      query,
    }),
    staleTime: 30_000,
  });
  const total = counted.data?.meta.pagination['total-count'];
  const isOn = filters.status === group;
  return (
    <CountChip
      label={group}
      count={total === undefined ? undefined : count(total)}
      on={isOn}
      onToggle={() => onChange({ status: isOn ? undefined : group })}
    />
  );
}

function NameFilter({ name, onChange }: { readonly name: string; readonly onChange: (name: string) => void }) {
  const [typed, setTyped] = useState(name);
  const input = useRef<HTMLInputElement>(null);
  const isSettled = typed === name;
  // What the address says wins, unless somebody types just now.
  const [seen, setSeen] = useState(name);
  if (seen !== name) {
    setSeen(name);
    setTyped(name);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: one pause for each key
  useEffect(() => {
    if (isSettled) return;
    const timer = setTimeout(() => onChange(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useShortcuts([{ keys: '/', label: 'filter by name', run: () => input.current?.focus() }]);
  return (
    <div className={styles.search}>
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        aria-label="Filter by name"
        placeholder="Name, or part of it: net*-prod"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') input.current?.blur();
        }}
      />
      <Keys keys="/" />
    </div>
  );
}
