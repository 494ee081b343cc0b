import * as Ariakit from '@ariakit/react';
import { Icon } from '../icon/Icon.tsx';
import type { MenuItemProps, MenuProps } from './Menu.tsx';
import styles from './menu.module.css';
import * as texts from './texts.ts';

/** Opens as soon as it is loaded, because the user has already pressed the button. */
export function OpenMenu({ button, className, label, children }: MenuProps) {
  return (
    <Ariakit.MenuProvider defaultOpen>
      <Ariakit.MenuButton {...(className && { className })} {...(label && { 'aria-label': label, title: label })}>
        {button}
      </Ariakit.MenuButton>
      <Ariakit.Menu className={styles.menu ?? ''} gutter={4} fixed autoFocusOnShow>
        {children}
      </Ariakit.Menu>
    </Ariakit.MenuProvider>
  );
}

export function Item({ icon, onChoose, off, checked, render, children }: MenuItemProps) {
  return (
    <Ariakit.MenuItem
      className={styles.item ?? ''}
      accessibleWhenDisabled
      disabled={off !== undefined}
      {...(render && { render })}
      {...(onChoose && { onClick: onChoose })}
    >
      {icon && <Icon name={icon} />}
      {children}
      {off !== undefined && <span className={styles.end}>{off}</span>}
      {checked && (
        <span className={styles.end}>
          <Icon name="check" />
          <span className="sr">{texts.selected}</span>
        </span>
      )}
    </Ariakit.MenuItem>
  );
}

export function Group({ heading, children }: { readonly heading: string; readonly children: React.ReactNode }) {
  return (
    <Ariakit.MenuGroup>
      <Ariakit.MenuGroupLabel className={styles.heading ?? ''}>{heading}</Ariakit.MenuGroupLabel>
      {children}
    </Ariakit.MenuGroup>
  );
}

export function Separator() {
  return <Ariakit.MenuSeparator className={styles.separator ?? ''} />;
}
