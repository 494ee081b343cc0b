import { useState } from 'react';
import { Button } from '../../components/button/Button.tsx';
import { ADD_CHIP, Chips, FilterChip } from '../../components/chip/Chip.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { Menu, MenuGroup, MenuItem } from '../../components/menu/Menu.tsx';
import { SearchBox } from '../../components/search/Search.tsx';
import styles from './audit.module.css';
import { HashDialog } from './HashDialog.tsx';
import { type AuditChange, type AuditSearch, CLASSES, meantBy, WINDOWS } from './search.ts';
import * as texts from './texts.ts';

interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (change: AuditChange) => void;
}

const CHIPS = [
  ['actor', texts.caller],
  ['path', texts.path],
  ['status', texts.status],
  ['service', texts.api],
  ['request', texts.request],
  ['hash', texts.hash],
  ['reads', texts.readsOfTheConsole],
  ['last', texts.time],
] as const;

/** Filters of the audit log. Typed text is sent on Enter, not while typing, because each search is audited too. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const [typed, setTyped] = useState('');
  const [isHashing, setHashing] = useState(false);
  return (
    <div className={styles.filters}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== '') onChange(meantBy(typed.trim()));
          setTyped('');
        }}
      >
        <SearchBox
          label={texts.findByCallerPath}
          placeholder={texts.callerPathRequestId}
          value={typed}
          onValue={setTyped}
        />
      </form>
      <Chips>
        {CHIPS.filter(([name]) => search[name]).map(([name, label]) => (
          <FilterChip
            key={name}
            name={label}
            value={shown(name, search[name] ?? '')}
            onRemove={() => onChange({ [name]: undefined })}
          />
        ))}
        <Menu
          className={ADD_CHIP}
          button={
            <>
              <Icon name="plus" />
              {texts.filter}
            </>
          }
        >
          <MenuGroup heading={texts.status2}>
            {CLASSES.map(([status, label]) => (
              <MenuItem key={status} checked={search.status === status} onChoose={() => onChange({ status })}>
                {label}
              </MenuItem>
            ))}
          </MenuGroup>
          <MenuGroup heading={texts.api}>
            {['access', 'workspaces'].map((service) => (
              <MenuItem key={service} checked={search.service === service} onChoose={() => onChange({ service })}>
                {service}
              </MenuItem>
            ))}
          </MenuGroup>
          <MenuGroup heading={texts.pagesOfTheConsole}>
            <MenuItem checked={search.reads !== undefined} onChoose={() => onChange({ reads: 'shown' })}>
              {texts.showTheirReads}
            </MenuItem>
          </MenuGroup>
          <MenuGroup heading={texts.time2}>
            {WINDOWS.map(([last, label]) => (
              <MenuItem key={last} checked={search.last === last} onChoose={() => onChange({ last })}>
                {label}
              </MenuItem>
            ))}
          </MenuGroup>
        </Menu>
        {search.reads === undefined && !search.request && !search.hash && (
          <Button look="small" onClick={() => onChange({ reads: 'shown' })}>
            {texts.showReads}
          </Button>
        )}
      </Chips>
      <div className={styles.quick}>
        <Button look="quiet" onClick={() => onChange({ path: '/v1/auth/+/login', status: '4xx' })}>
          {texts.refusedLogins}
        </Button>
        <Button look="quiet" onClick={() => setHashing(true)}>
          {texts.findATextBy}
        </Button>
      </div>
      {isHashing && <HashDialog onClose={() => setHashing(false)} onHash={(hash) => onChange({ hash })} />}
    </div>
  );
}

/** Shortens long values. */
function shown(name: string, value: string): string {
  if (name === 'status') return CLASSES.find(([status]) => status === value)?.[1] ?? value;
  if (name === 'last') return WINDOWS.find(([last]) => last === value)?.[1] ?? value;
  return value.length > 40 ? `${value.slice(0, 24)}…` : value;
}
