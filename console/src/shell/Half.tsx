import { Link, useLocation, useMatches } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../components/button/Button.tsx';
import { Empty } from '../components/page-states/PageStates.tsx';
import type { Session, Side } from '../session/session.ts';
import { usePlace } from './page.ts';
import { opens } from './places.ts';
import * as texts from './texts.ts';

const OF_BOTH = ['/~access/machine-identities'];
const OF_ACCESS = ['/~access', '/~server'];
const OF_WORKSPACES = ['/~organizations', '/~welcome', '/~server/users'];

/** Returns the API that the page at a path needs; undefined for pages that use both or either. */
export function sideOf(pathname: string): Side | undefined {
  const isBelow = (place: string) => pathname === place || pathname.startsWith(`${place}/`);
  if (pathname === '/' || OF_BOTH.some(isBelow)) return undefined;
  if (OF_WORKSPACES.some(isBelow) || !pathname.startsWith('/~')) return 'workspaces';
  return OF_ACCESS.some(isBelow) ? 'access' : undefined;
}

/**
 * Shows the page if the session has a token for its API, else a link to sign in to that API. The path is that of the
 * page which the outlet shows. The location is already the next one while the code of the next page loads: by it, the
 * page of an API without a token would be shown, and send requests, on the way to the sign-in page.
 */
export function Half({ session, children }: { readonly session: Session; readonly children: ReactNode }) {
  const side = sideOf(useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' }));
  return side === undefined || opens(session, side) ? children : <Closed side={side} session={session} />;
}

function Closed({ side, session }: { readonly side: Side; readonly session: Session }) {
  const { href } = useLocation();
  usePlace([{ label: side === 'access' ? texts.access : texts.workspaces }]);
  return (
    <Empty
      isPage
      title={texts.signInToOpen(side === 'access' ? texts.theAccessApi : texts.theWorkspaceApi)}
      action={
        <Link className={buttonClass('primary')} to="/~sign-in" search={{ to: href, side }}>
          {texts.signInTo(side)}
        </Link>
      }
    >
      {texts.signedInToOther(side === 'access' ? texts.theWorkspaceApi : texts.theAccessApi)}{' '}
      {side === 'access' ? texts.accessComesFrom : texts.workspacesComeFrom}{' '}
      {side === 'access' && session.offers.provider && texts.askForAPolicy(session.offers.provider.name)}
    </Empty>
  );
}
