import { lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import type { IconName } from '../icon/icons.tsx';

/** What menus are made of comes when somebody is about to open one: it weighs a third of the first page. */
const load = () => import('./parts.tsx');
const OpenMenu = lazy(() => load().then(({ OpenMenu }) => ({ default: OpenMenu })));

export interface MenuProps {
  /** What opens it: its content; it becomes a button. */
  readonly button: ReactNode;
  readonly className?: string;
  /** For a button without words. */
  readonly label?: string;
  /** Menu items, and groups of them. */
  readonly children: ReactNode;
}

/** A button that opens a list of things to do or to choose. */
export function Menu(props: MenuProps) {
  const [isWanted, setWanted] = useState(false);
  const { button, className, label } = props;
  const closed = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={isWanted}
      {...(className && { className })}
      {...(label && { 'aria-label': label, title: label })}
      onPointerEnter={load}
      onFocus={load}
      onClick={() => setWanted(true)}
    >
      {button}
    </button>
  );
  return isWanted ? (
    <Suspense fallback={closed}>
      <OpenMenu {...props} />
    </Suspense>
  ) : (
    closed
  );
}

export interface MenuItemProps {
  readonly icon?: IconName;
  readonly onChoose?: () => void;
  /** Why it cannot be done now: said beside it. */
  readonly off?: string | undefined;
  /** It is the one that holds. */
  readonly checked?: boolean;
  /** A link in its place. */
  readonly render?: ReactElement;
  readonly children: ReactNode;
}

export const MenuItem = lazy(() => load().then(({ Item }) => ({ default: Item })));
export const MenuGroup = lazy(() => load().then(({ Group }) => ({ default: Group })));
export const MenuSeparator = lazy(() => load().then(({ Separator }) => ({ default: Separator })));
