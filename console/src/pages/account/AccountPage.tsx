import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Answered } from '../../components/faces/Answered.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Select } from '../../components/form/Field.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section } from '../../components/section/Section.tsx';
import { Tokens } from '../../components/tokens/Tokens.tsx';
import { exact } from '../../format/time.ts';
import { chooseZone, useZone } from '../../format/zone.ts';
import { type Session, sessionQuery, type Who } from '../../session/session.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import { choose, THEMES, type Theme, useTheme } from '../../shell/theme.ts';
import { Sessions } from './Sessions.tsx';

const ACCOUNT = 'GET /account/details';
const THEME_WORDS = { system: 'as the system', light: 'light', dark: 'dark' } as const;

/** Who is signed in, their tokens, and how pages look to them. */
export function AccountPage() {
  usePlace([{ label: 'My account' }]);
  const { data: session } = useSuspenseQuery(sessionQuery);
  usePathLine({ request: workspaces.request(ACCOUNT, {}), command: 'lockkeeper api GET account/details' });
  return (
    <>
      <PageHead title="My account" lede={whoInWords(session)} />
      {session.workspaces?.kind === 'user' && <Own />}
      <Section title="This session">
        <Facts
          of={[
            ['Workspaces', session.workspaces && held(session.workspaces)],
            ['Access', session.access && held(session.access)],
            ['Ends', session.ends_at && exact(session.ends_at)],
          ]}
        />
      </Section>
      <Looks />
    </>
  );
}

function whoInWords({ workspaces: own, access }: Session): string {
  const who = own ?? access;
  if (!who) return 'Nobody is signed in.';
  const kinds: Readonly<Record<string, string>> = { user: 'a user', team: 'a team', organization: 'an organization' };
  return `You are ${who.name}${kinds[who.kind] ? `, ${kinds[who.kind]}` : ''}.`;
}

const held = ({ kind, name, expires_at: end }: Who) => (
  <>
    {kind} <bdi>{name}</bdi>
    {end && `, until ${exact(end)}`}
  </>
);

/** Of users alone: teams and organizations have their tokens where they stand. */
function Own() {
  const account = useQuery(workspaces.query(ACCOUNT, {}));
  const id = account.data?.data.id ?? '';
  const path = { user_id: id };
  const tokens = useQuery({
    ...workspaces.query('GET /users/{user_id}/authentication-tokens', { path, query: { 'page[size]': '100' } }),
    enabled: id !== '',
  });
  return (
    <Answered query={account} what="Your account">
      {({ data: { attributes } }) => (
        <>
          <Section title="Account">
            <Facts
              of={[
                ['Name', <bdi key="name">{attributes.username}</bdi>],
                ['Email', <bdi key="email">{attributes.email}</bdi>],
                [
                  'Waits',
                  attributes['unconfirmed-email'] && `${attributes['unconfirmed-email']}: the operator confirms it`,
                ],
                [
                  'Belongs to',
                  <Link key="to" className="link" to="/~organizations">
                    organizations
                  </Link>,
                ],
              ]}
            />
          </Section>
          <Tokens
            title="My tokens"
            of={attributes.username}
            query={tokens}
            mayRevoke
            create={(given) =>
              workspaces.send('POST /users/{user_id}/authentication-tokens', {
                path,
                body: { data: { type: 'authentication-tokens', attributes: given } },
              })
            }
          >
            Whoever holds one is you.
          </Tokens>
          <Sessions userId={id} />
        </>
      )}
    </Answered>
  );
}

function Looks() {
  const theme = useTheme();
  const zone = useZone();
  return (
    <Section title="How it looks">
      <Select
        label="Theme"
        value={theme}
        options={THEMES.map((one) => [one, THEME_WORDS[one]] as const)}
        onText={(value) => choose(value as Theme)}
      />
      <Select
        label="Times"
        help={`Now: ${exact(Date.now())}. Kept in this browser.`}
        value={zone}
        options={[
          ['utc', 'UTC'],
          ['local', 'of this computer'],
        ]}
        onText={(value) => chooseZone(value === 'local' ? 'local' : 'utc')}
      />
    </Section>
  );
}
