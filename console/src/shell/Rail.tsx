import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { Button } from '../components/button/Button.tsx';
import { Icon } from '../components/icon/Icon.tsx';
import { State } from '../components/state/State.tsx';
import { clock } from '../format/time.ts';
import type { Session, Who } from '../session/session.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { forgetOrganization } from './last-organization.ts';
import { Mark } from './Mark.tsx';
import { OrganizationSwitch } from './OrganizationSwitch.tsx';
import { forgetRecent } from './palette/recent.ts';
import { opens, type PlaceGroup, placesOf } from './places.ts';
import styles from './rail.module.css';
import * as texts from './texts.ts';

interface RailProps {
  readonly session: Session;
  readonly organization: string | undefined;
  readonly open: boolean;
}

/** Side navigation, with the signed-in user at the bottom. */
export function Rail({ session, organization, open }: RailProps) {
  const groups = placesOf(session)
    .filter(({ places }) => places.some(({ side }) => !side || session.offers[side]))
    // One offer to sign in is enough for each API.
    .filter(
      ({ places, side }, index, all) =>
        places.some((place) => opens(session, place.side)) || all.findIndex((group) => group.side === side) === index,
    );
  return (
    <nav id="places" className={`${styles.rail} ${open ? styles.open : ''}`} aria-label={texts.console}>
      <div className={styles.head}>
        <Mark />
        {session.workspaces ? <OrganizationSwitch current={organization} /> : <strong>{texts.lockkeeper}</strong>}
      </div>
      <div className={styles.nav}>
        {groups.map((group) => (
          <Group key={group.label} group={group} session={session} organization={organization} />
        ))}
      </div>
      <Foot session={session} />
    </nav>
  );
}

function Group({
  group,
  session,
  organization,
}: {
  group: PlaceGroup;
  session: Session;
  organization: string | undefined;
}) {
  const { pathname } = useLocation();
  const open = group.places.filter(({ side }) => opens(session, side));
  const places = open.filter(({ inOrganization }) => !inOrganization || organization !== undefined);
  return (
    <>
      {group.label && <h2>{group.label}</h2>}
      <ul>
        {open.length > 0 ? (
          places.map(({ label, icon, to, also }) => (
            <li key={label}>
              <Link
                to={to}
                params={{ organization } as never}
                activeProps={{ 'aria-current': 'page' }}
                activeOptions={{ includeSearch: false }}
                {...(also && pathname.startsWith(also) && { 'aria-current': 'page' as const })}
              >
                <Icon name={icon} />
                {label}
              </Link>
            </li>
          ))
        ) : (
          <li>
            <Link
              to="/~sign-in"
              search={{
                to: location.pathname.replace(/^\/app/, '') + location.search,
                ...(group.side && { side: group.side }),
              }}
            >
              <Icon name="token" />
              {texts.signInTo2(group.label.toLowerCase())}
            </Link>
          </li>
        )}
      </ul>
    </>
  );
}

function Foot({ session }: { readonly session: Session }) {
  const navigate = useNavigate();
  const signOut = useSignOut(() => {
    forgetRecent();
    forgetOrganization();
    void navigate({ to: '/~sign-in', search: {} });
  });
  const { workspaces, access, ends_at: end } = session;
  const who = workspaces ?? access;
  if (!who) return null;
  return (
    <div className={styles.foot}>
      <p>
        {texts.signedInAs}{' '}
        <Link to="/~account" className="link">
          <strong>
            <bdi>{who.name}</bdi>
          </strong>
        </Link>
      </p>
      {access?.is_root && (
        <p className={styles.root}>
          <State icon="warn" is="bad">
            {texts.rootToken}
          </State>
        </p>
      )}
      <p>
        {texts.signedInTo(sidesOf(session))}
        {end && (
          <>
            {' '}
            {texts.until} <time dateTime={end}>{clock(end)}</time>
          </>
        )}
      </p>
      <Button look="small" onClick={() => signOut.mutate()}>
        {signOut.isPending ? texts.signingOut : texts.signOut}
      </Button>
    </div>
  );
}

/** Names the APIs of a session: `both APIs`, or each with the kind of its sign-in. */
function sidesOf({ workspaces, access }: Session): string {
  const sides = [workspaces && holds(texts.ofWorkspaces, workspaces), access && holds(texts.ofAccess, access)];
  const isPlain = sides[0] === texts.ofWorkspaces && sides[1] === texts.ofAccess;
  return isPlain ? texts.bothApis : sides.filter(Boolean).join(texts.and);
}

/** Describes a sign-in: `workspaces`, `workspaces as team`, `access by certificate`. */
function holds(side: string, { kind }: Who): string {
  if (kind === 'user' || kind === 'token') return side;
  return kind === 'certificate' || kind === 'machine' ? texts.byCertificate(side) : texts.as(side, kind);
}
