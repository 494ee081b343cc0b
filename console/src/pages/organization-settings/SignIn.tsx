import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/client.ts';
import { Button } from '../../components/button/Button.tsx';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Destroy } from '../../components/destroy/Destroy.tsx';
import { Answered } from '../../components/faces/Answered.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Section } from '../../components/section/Section.tsx';
import { ProviderCheck } from './ProviderCheck.tsx';
import { ProviderForm } from './ProviderForm.tsx';
import { NotForYou, usePart } from './part.tsx';
import { AT } from './provider.ts';

/** Who says who the people of the organization are. */
export function SignIn() {
  const { organization, path, answer, may } = usePart(
    'Sign-in',
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
    <Section title="Sign-in">
      <p className="soft">
        An OpenID Connect provider of your own lets people in here. They are of this organization alone, and can join no
        other one; who has an account already keeps it.
      </p>
      <Answered query={providers} what="The provider">
        {({ data: [provider] }) => (
          <>
            <Facts
              of={[
                [
                  'Callback',
                  <Copyable
                    key="callback"
                    text={provider?.attributes['callback-url'] ?? `${place}/organizations/${id}/callback`}
                    what="callback address"
                  />,
                ],
                [
                  'Logout',
                  <Copyable
                    key="logout"
                    text={provider?.attributes['logout-url'] ?? `${place}/logout/${id}`}
                    what="logout address"
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
                <p>There is none. Tell the provider these addresses; it gives you an id, and a secret.</p>
                <Button onClick={() => setBegun(true)}>Set one up</Button>
              </>
            )}
            {provider && <ProviderCheck key={saved} organization={organization} />}
            {provider && (
              <Section title="Deletion">
                <Destroy
                  verb="Delete"
                  what={`provider ${provider.attributes.name}`}
                  run={async () => {
                    await workspaces.send(`DELETE ${AT}`, { path });
                    setBegun(false);
                  }}
                >
                  <p>
                    Whoever signed in with it is signed out at once, and nobody can sign in with it any more. They stay
                    members, and so do tokens that they have made.
                  </p>
                </Destroy>
              </Section>
            )}
          </>
        )}
      </Answered>
    </Section>
  );
}
