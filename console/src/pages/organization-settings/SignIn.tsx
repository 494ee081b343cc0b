import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { QueryResult } from '../../components/page-states/QueryResult.tsx';
import { Section } from '../../components/section/Section.tsx';
import { ProviderCheck } from './ProviderCheck.tsx';
import { ProviderForm } from './ProviderForm.tsx';
import { NotForYou, usePart } from './part.tsx';
import { AT } from './provider.ts';
import * as texts from './texts.ts';

/** Sign-in provider (OpenID Connect) of an organization. */
export function SignIn() {
  const { organization, path, answer, may } = usePart(
    texts.signIn,
    (name) => workspaces.request(`GET ${AT}`, { path: { organization_name: name } }),
    (name) => `lockkeeper api GET organizations/${name}/sign-in-provider`,
  );
  const isMine = may?.['can-manage-sso'] ?? false;
  const providers = useQuery({ ...workspaces.query(`GET ${AT}s`, { path }), enabled: isMine });
  const [isBegun, setBegun] = useState(false);
  const [saved, setSaved] = useState(0);
  if (may && !isMine) return <NotForYou needs="can-manage-sso" />;
  if (!answer) return null;
  const place = `${location.origin}/app/~session/oidc`;
  const id = answer.data.attributes['external-id'];
  return (
    <Section title={texts.signIn}>
      <p className="soft">{texts.usersCanSignIn}</p>
      <QueryResult query={providers} what={texts.theProvider}>
        {({ data: [provider] }) => (
          <>
            <Facts
              of={[
                [
                  texts.callbackUrl,
                  <Copyable
                    key="callback"
                    text={provider?.attributes['callback-url'] ?? `${place}/organizations/${id}/callback`}
                    what={texts.callbackUrl2}
                  />,
                ],
                [
                  texts.logoutUrl,
                  <Copyable
                    key="logout"
                    text={provider?.attributes['logout-url'] ?? `${place}/logout/${id}`}
                    what={texts.logoutUrl2}
                  />,
                ],
              ]}
            />
            {provider || isBegun ? (
              <ProviderForm
                key={provider?.attributes['updated-at'] ?? 'new'}
                organization={organization}
                provider={provider}
                onSave={() => setSaved((times) => times + 1)}
              />
            ) : (
              <>
                <p>{texts.noProviderYetRegister}</p>
                <Button onClick={() => setBegun(true)}>{texts.setUpProvider}</Button>
              </>
            )}
            {provider && <ProviderCheck key={saved} organization={organization} />}
            {provider && (
              <Section title={texts.deletion}>
                <Destroy
                  verb={texts.deleteText}
                  what={texts.provider(provider.attributes.name)}
                  run={async () => {
                    await workspaces.send(`DELETE ${AT}`, { path });
                    setBegun(false);
                  }}
                >
                  <p>{texts.usersWhoSignedIn}</p>
                </Destroy>
              </Section>
            )}
          </>
        )}
      </QueryResult>
    </Section>
  );
}
