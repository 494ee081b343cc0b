import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { Facts } from '../../components/facts/Facts.tsx';
import { Select } from '../../components/form/Field.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Passkeys } from '../../components/passkeys/Passkeys.tsx';
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
import * as texts from './texts.ts';

const ACCOUNT = 'GET /account/details';
const THEME_WORDS = { system: texts.system, light: texts.light, dark: texts.dark } as const;

/** Account page: the signed-in user, their tokens and sessions, and the appearance of the console. */
export function AccountPage() {
  usePlace([{ label: texts.myAccount }]);
  const { data: session } = useSuspenseQuery(sessionQuery);
  usePathLine({ request: workspaces.request(ACCOUNT, {}), command: 'lockkeeper api GET account/details' });
  return (
    <>
      <PageHead title={texts.myAccount} lede={whoInWords(session)} />
      {session.workspaces?.kind === 'user' && <Own session={session} />}
      <Section title={texts.thisSession}>
        <Facts
          of={[
            [texts.workspaces, session.workspaces && held(session.workspaces)],
            [texts.access, session.access && held(session.access)],
            [texts.memberOf, session.workspaces?.organizations?.join(', ')],
            [texts.role, session.workspaces?.is_site_admin && texts.siteAdministrator],
            [texts.policies, session.access?.policies?.join(', ')],
            [texts.expires, session.ends_at && exact(session.ends_at)],
          ]}
        />
      </Section>
      <Looks />
    </>
  );
}

function whoInWords({ workspaces: own, access }: Session): string {
  const who = own ?? access;
  if (!who) return texts.noUserIsSignedIn;
  const kinds: Readonly<Record<string, string>> = {
    user: texts.aUser,
    team: texts.aTeam,
    organization: texts.anOrganization,
  };
  return texts.signedInAs(who.name, kinds[who.kind] ? `, ${kinds[who.kind]}` : '');
}

const held = ({ kind, name, expires_at: end }: Who) => (
  <>
    {kind} <bdi>{name}</bdi>
    {end && texts.until(exact(end))}
  </>
);

/** Account details of a user. Teams and organizations manage their tokens on their own pages. */
function Own({ session }: { readonly session: Session }) {
  const account = useQuery(workspaces.query(ACCOUNT, {}));
  const id = account.data?.data.id ?? '';
  const path = { user_id: id };
  const tokens = useQuery({
    ...workspaces.query('GET /users/{user_id}/authentication-tokens', { path, query: { 'page[size]': '100' } }),
    enabled: id !== '',
  });
  return (
    <QueryResult query={account} what={texts.yourAccount}>
      {({ data: { attributes } }) => (
        <>
          <Section title={texts.account}>
            <Facts
              of={[
                [texts.name, <bdi key="name">{attributes.username}</bdi>],
                [texts.email, <bdi key="email">{attributes.email}</bdi>],
                [
                  texts.unconfirmedEmail,
                  attributes['unconfirmed-email'] && texts.theOperatorMustConfirmIt(attributes['unconfirmed-email']),
                ],
                [
                  texts.memberOf,
                  <Link key="to" className="link" to="/~organizations">
                    {texts.organizations}
                  </Link>,
                ],
              ]}
            />
          </Section>
          <Tokens
            title={texts.myTokens}
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
            {texts.aTokenActsWith}
          </Tokens>
          <Passkeys userId={id} session={session} />
          <Sessions userId={id} />
        </>
      )}
    </QueryResult>
  );
}

function Looks() {
  const theme = useTheme();
  const zone = useZone();
  return (
    <Section title={texts.appearance}>
      <Select
        label={texts.theme}
        value={theme}
        options={THEMES.map((one) => [one, THEME_WORDS[one]] as const)}
        onText={(value) => choose(value as Theme)}
      />
      <Select
        label={texts.timeZone}
        help={texts.currentTimeThisBrowser(exact(Date.now()))}
        value={zone}
        options={[
          ['utc', texts.utc],
          ['local', texts.thisComputer],
        ]}
        onText={(value) => chooseZone(value === 'local' ? 'local' : 'utc')}
      />
    </Section>
  );
}
