import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Outlet, useLocation, useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { followEvents } from '../api/events.ts';
import { ANNOUNCED_ID } from '../components/copy/announce.ts';
import { Invitations } from '../components/invitations/Invitations.tsx';
import { PathLineBar } from '../components/path-line/PathLineBar.tsx';
import { useShortcuts } from '../keyboard/shortcuts.ts';
import { sessionQuery } from '../session/session.ts';
import { Bar } from './Bar.tsx';
import { Half } from './Half.tsx';
import { KeysDialog } from './KeysDialog.tsx';
import { useOrganization } from './last-organization.ts';
import { opens, placesOf } from './places.ts';
import { Rail } from './Rail.tsx';
import { SignInAgain } from './SignInAgain.tsx';
import styles from './shell.module.css';
import * as texts from './texts.ts';

/** Frame of every page for a signed-in user. */
export function Shell() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { organization: current } = useParams({ strict: false }) as { organization?: string };
  const organization = useOrganization(current, session.workspaces !== null);
  const [placesOpen, setPlacesOpen] = useState(false);
  const [keysOpen, setKeysOpen] = useState(false);
  const { pathname } = useLocation();
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes after navigation
  useEffect(() => setPlacesOpen(false), [pathname]);
  const queries = useQueryClient();
  const hears = session.workspaces !== null;
  useEffect(() => (hears ? followEvents(queries) : undefined), [hears, queries]);
  const groups = placesOf(session);
  const places = groups
    .flatMap((group) => group.places)
    .filter(({ side, inOrganization }) => opens(session, side) && !(inOrganization && organization === undefined));
  useShortcuts([
    { keys: '?', label: texts.allShortcuts, hint: true, run: () => setKeysOpen(true) },
    ...(placesOpen ? [{ keys: 'Escape', label: texts.closeNavigation, run: () => setPlacesOpen(false) }] : []),
    ...places.map(({ label, to, key }) => ({
      keys: `g ${key}`,
      label: texts.goTo(label.toLowerCase()),
      run: () => void navigate({ to, params: { organization } as never } as never),
    })),
  ]);
  return (
    <>
      <a className={styles.skip} href="#main">
        {texts.skipToContent}
      </a>
      {/* Before the frame, which is as high as the window: below it, even one pixel makes the page scroll. */}
      <p id={ANNOUNCED_ID} className="sr" role="status" />
      <div className={styles.app}>
        <Rail session={session} organization={organization} open={placesOpen} />
        <Bar
          session={session}
          organization={organization}
          placesOpen={placesOpen}
          onPlaces={() => setPlacesOpen(!placesOpen)}
          onKeys={() => setKeysOpen(true)}
        />
        <main className={styles.main} id="main" tabIndex={-1}>
          <Invitations session={session} />
          <Half session={session}>
            <Outlet />
          </Half>
        </main>
        <PathLineBar />
      </div>
      <SignInAgain session={session} />
      {keysOpen && <KeysDialog onClose={() => setKeysOpen(false)} />}
    </>
  );
}
