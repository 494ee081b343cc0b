import { lazy, type ReactElement, type ReactNode, Suspense, useState } from 'react';
import type { IconName } from '../icon/icons.tsx';

/** Loads the menu code when the user is about to open a menu: it is a third as large as the first page. */
const load = () => import('./parts.tsx');
const OpenMenu = lazy(() => load().then(({ OpenMenu }) => ({ default: OpenMenu })));

export interface MenuProps {
  /** Content of the button. */
  readonly button: ReactNode;
  readonly className?: string;
  /** Accessible name of a button without text. */
  readonly label?: string;
  /** Menu items and groups. */
  readonly children: ReactNode;
}

/** Button that opens a menu. */
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
  /** Reason why the item is disabled, shown beside it. */
  readonly off?: string | undefined;
  /** Whether the item is the current choice. */
  readonly checked?: boolean;
  /** Link to render instead of a button. */
  readonly render?: ReactElement;
  readonly children: ReactNode;
}

export const MenuItem = lazy(() => load().then(({ Item }) => ({ default: Item })));
export const MenuGroup = lazy(() => load().then(({ Group }) => ({ default: Group })));
export const MenuSeparator = lazy(() => load().then(({ Separator }) => ({ default: Separator })));
