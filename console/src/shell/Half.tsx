import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonClass } from '../components/button/Button.tsx';
import { Empty } from '../components/faces/Faces.tsx';
import type { Session, Side } from '../session/session.ts';
import { usePlace } from './page.ts';
import { opens } from './places.ts';

const OF_BOTH = ['/~overview', '/~guide', '/~components', '/~account', '/~access/machine-identities'];
const OF_WORKSPACES = ['/~organizations', '/~server/users'];

/** Of which half the page at an address is; undefined where it knows itself what it shows of each. */
export function sideOf(pathname: string): Side | undefined {
  const isBelow = (place: string) => pathname === place || pathname.startsWith(`${place}/`);
  if (pathname === '/' || OF_BOTH.some(isBelow)) return undefined;
  return pathname.startsWith('/~') && !OF_WORKSPACES.some(isBelow) ? 'access' : 'workspaces';
}

/** The page, where the session holds a token of its half; else the way to one. */
export function Half({ session, children }: { readonly session: Session; readonly children: ReactNode }) {
  const side = sideOf(useLocation().pathname);
  return side === undefined || opens(session, side) ? children : <Closed side={side} />;
}

function Closed({ side }: { readonly side: Side }) {
  const { href } = useLocation();
  usePlace([{ label: side === 'access' ? 'Access' : 'Workspaces' }]);
  return (
    <Empty
      isPage
      title={`This page is part of ${side}`}
      action={
        <Link className={buttonClass('primary')} to="/~sign-in" search={{ to: href, side }}>
          Sign in to {side}
        </Link>
      }
    >
      You are signed in to {side === 'access' ? 'workspaces' : 'access'} alone. A second token opens it; you stay signed
      in with the first.
    </Empty>
  );
}
