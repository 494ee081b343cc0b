import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { workspaces } from '../../api/client.ts';
import { buttonClass } from '../../components/button/Button.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { usePathLine } from '../../components/path-line/path-line.ts';
import { Section } from '../../components/section/Section.tsx';
import { sessionQuery } from '../../session/session.ts';
import { PageHead } from '../../shell/PageHead.tsx';
import { usePlace } from '../../shell/page.ts';
import * as texts from './texts.ts';

const ACCOUNT = 'GET /account/details';
const NO_ADDRESS = /@no-address\.invalid$/;

/** First page of a user without an organization. Invitations are above it, as above every page. */
export function WelcomePage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const account = useQuery(workspaces.query(ACCOUNT, {}));
  usePlace([{ label: texts.welcome }]);
  usePathLine({ request: workspaces.request(ACCOUNT, {}), command: 'lockkeeper api GET account/details' });
  return (
    <>
      <PageHead title={texts.welcomeName(session.workspaces?.name ?? '')} lede={texts.youAreNotA} />
      <QueryResult query={account} what={texts.yourAccount}>
        {({ data: { attributes } }) => (
          <>
            <Section title={texts.joinAnOrganization}>
              <p>
                {NO_ADDRESS.test(attributes.email ?? '') ? texts.askForALink : texts.askForAnInvitation}{' '}
                {!NO_ADDRESS.test(attributes.email ?? '') && <bdi className="mono">{attributes.email}</bdi>}
              </p>
              <p className="soft">{texts.invitationsAppear}</p>
            </Section>
            <Section title={texts.startYourOwn}>
              <p className="soft">{texts.anOrganizationHas}</p>
              <p>
                <Link className={buttonClass('primary')} to="/~organizations">
                  {texts.createAnOrganization}
                </Link>
              </p>
            </Section>
            {session.offers.passkeys && (
              <Section title={texts.signInWithoutAToken}>
                <p>
                  <Link className="link" to="/~account">
                    {texts.registerAPasskey}
                  </Link>
                </p>
              </Section>
            )}
          </>
        )}
      </QueryResult>
    </>
  );
}
