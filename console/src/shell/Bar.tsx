import { Link } from '@tanstack/react-router';
import { Button } from '../components/button/Button.tsx';
import { Icon } from '../components/icon/Icon.tsx';
import { Menu, MenuItem } from '../components/menu/Menu.tsx';
import type { Session } from '../session/session.ts';
import styles from './bar.module.css';
import { useCrumbs } from './page.ts';
import { PaletteButton } from './palette/PaletteButton.tsx';
import * as texts from './texts.ts';
import { choose, THEMES, useTheme } from './theme.ts';

const NAMES = { system: texts.system, light: texts.light, dark: texts.dark } as const;

interface BarProps {
  readonly session: Session;
  readonly organization: string | undefined;
  readonly placesOpen: boolean;
  readonly onPlaces: () => void;
  readonly onKeys: () => void;
}

/** Top bar: breadcrumbs, search, keyboard help and theme. */
export function Bar({ session, organization, placesOpen, onPlaces, onKeys }: BarProps) {
  const crumbs = useCrumbs();
  const theme = useTheme();
  return (
    <header className={styles.bar}>
      <span className={styles.menu}>
        <Button
          look={['quiet', 'square']}
          aria-label={texts.navigation}
          aria-expanded={placesOpen}
          aria-controls="places"
          onClick={onPlaces}
        >
          <Icon name="menu" />
        </Button>
      </span>
      <nav className={styles.crumbs} aria-label={texts.breadcrumbs}>
        <ol>
          {crumbs.map(({ label, to }) => (
            <li key={label}>
              {to ? (
                <Link to={to} activeOptions={{ exact: true }}>
                  <bdi>{label}</bdi>
                </Link>
              ) : (
                <span aria-current="page">
                  <bdi>{label}</bdi>
                </span>
              )}
            </li>
          ))}
        </ol>
      </nav>
      <PaletteButton session={session} organization={organization} />
      <Button look={['quiet', 'square']} aria-label={texts.keysOfThisPage} onClick={onKeys}>
        <Icon name="help" />
      </Button>
      <Menu
        className={styles.round ?? ''}
        label={texts.theme(NAMES[theme].toLowerCase())}
        button={<Icon name="theme" />}
      >
        {THEMES.map((one) => (
          <MenuItem key={one} checked={one === theme} onChoose={() => choose(one)}>
            {NAMES[one]}
          </MenuItem>
        ))}
      </Menu>
    </header>
  );
}
