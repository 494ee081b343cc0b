import * as Ariakit from '@ariakit/react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../components/icon/Icon.tsx';
import { Keys } from '../../components/path-line/Keys.tsx';
import { counted } from '../../format/number.ts';
import * as texts from '../texts.ts';
import type { Item } from './item.ts';
import { marked, wordsOf } from './match.ts';
import type { PaletteProps } from './PaletteButton.tsx';
import styles from './palette.module.css';
import { remember } from './recent.ts';
import { useFound } from './use-found.ts';

/** Command palette: finds pages, workspaces, roles, policies, teams and actions by parts of their names. */
export function Palette({ session, organization, onClose }: PaletteProps & { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const groups = useFound(session, organization, text);
  const words = wordsOf(text);
  const total = groups.reduce((sum, { items }) => sum + items.length, 0);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes the dialog too
    <dialog
      ref={dialog}
      className={styles.palette}
      aria-label={texts.search}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <Ariakit.ComboboxProvider open value={text} setValue={setText}>
        <div className={styles.ask}>
          <Icon name="search" />
          <Ariakit.Combobox
            autoFocus
            autoSelect="always"
            aria-label={texts.search}
            placeholder={texts.aWorkspaceRolePolicy}
            spellCheck={false}
            autoComplete="off"
          />
          <kbd>esc</kbd>
        </div>
        <Ariakit.ComboboxList alwaysVisible className={styles.found ?? ''} aria-label={texts.results}>
          {groups.map(({ id, label, items }) => (
            <Ariakit.ComboboxGroup key={id}>
              <Ariakit.ComboboxGroupLabel className={styles.kind ?? ''}>{label}</Ariakit.ComboboxGroupLabel>
              {items.map((item) => (
                <Option key={item.key} item={item} words={words} onChosen={onClose} />
              ))}
            </Ariakit.ComboboxGroup>
          ))}
        </Ariakit.ComboboxList>
        {total === 0 && (
          <p className={styles.none} role="status">
            {texts.noResultsTheSearch}
          </p>
        )}
      </Ariakit.ComboboxProvider>
      <ul className={styles.legend} aria-hidden="true">
        <li>
          <Keys keys="↑ ↓" /> {texts.select}
        </li>
        <li>
          <Keys keys="Enter" /> {texts.open}
        </li>
        <li>{counted(total, texts.result)}</li>
      </ul>
    </dialog>
  );
}

interface OptionProps {
  readonly item: Item;
  readonly words: readonly string[];
  readonly onChosen: () => void;
}

function Option({ item, words, onChosen }: OptionProps) {
  const { key, icon, label, mid, end, to, run, off, recent } = item;
  const isOff = off !== undefined;
  return (
    <Ariakit.ComboboxItem
      className={`${styles.option} ${isOff ? styles.off : ''}`}
      value={key}
      setValueOnClick={false}
      hideOnClick={false}
      focusOnHover
      accessibleWhenDisabled
      disabled={isOff}
      {...(to && !isOff && { render: <Link {...to} tabIndex={-1} /> })}
      onClick={() => {
        if (recent) remember(recent);
        run?.();
        onChosen();
      }}
    >
      <Icon name={icon} />
      <span className={styles.label}>
        {marked(label, words).map(([part, isTyped], at) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text
          isTyped ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
        )}
      </span>
      <span className={styles.mid}>{off ?? mid}</span>
      <span className={styles.end}>{isOff ? texts.unavailable : end}</span>
    </Ariakit.ComboboxItem>
  );
}
