import { useState } from 'react';
import { useChange } from '../../../../api/change.ts';
import { workspaces } from '../../../../api/client.ts';
import { Button } from '../../../../components/button/Button.tsx';
import { Copyable } from '../../../../components/copy/Copyable.tsx';
import { Facts } from '../../../../components/facts/Facts.tsx';
import { Field } from '../../../../components/form/Field.tsx';
import { Form } from '../../../../components/form/Form.tsx';
import type { Connection } from '../connection.ts';
import * as texts from '../texts.ts';
import styles from '../version-control.module.css';
import type { CredentialStepProps } from './CredentialStep.tsx';
import { create } from './create.ts';
import { GuideBox } from './GuideBox.tsx';
import { type OAuthGuide, oauthGuide } from './guides.ts';
import type { Provider } from './providers.ts';

/** Connects by an OAuth application of the provider. The connection comes first, because it has the callback URL. */
export function OAuthStep({ organization, provider, search, connection, onBack, onCreate }: CredentialStepProps) {
  const guide = oauthGuide(provider, search.http ?? '');
  const begin = useChange(
    () => create(organization, provider, search, { 'credential-later': true }),
    ({ id }) => onCreate(id),
  );
  if (guide === undefined) return null;
  if (connection) return <Application provider={provider} guide={guide} connection={connection} />;
  return (
    <div className={styles.form}>
      <Form
        action={texts.createConnection}
        onSubmit={() => begin.mutate()}
        busy={begin.isPending}
        fault={begin.error}
        also={
          <Button look="quiet" onClick={onBack}>
            {texts.back}
          </Button>
        }
      >
        <p>{texts.theCallbackUrlFollows}</p>
      </Form>
    </div>
  );
}

interface ApplicationProps {
  readonly provider: Provider;
  readonly guide: OAuthGuide;
  readonly connection: Connection;
}

/** Stores the application, and then leads to the sign-in at the provider. */
function Application({ provider, guide, connection }: ApplicationProps) {
  const { 'callback-url': callback, 'connect-path': connectPath } = connection.attributes;
  const [key, setKey] = useState(connection.attributes.key ?? '');
  const [secret, setSecret] = useState('');
  const [tenant, setTenant] = useState(connection.attributes['ado-entra-tenant-id'] ?? '');
  const isEntra = provider.id === 'ado_services';
  const save = useChange(
    () =>
      workspaces.send('PATCH /oauth-clients/{oauth_client_id}', {
        path: { oauth_client_id: connection.id },
        body: {
          data: {
            type: 'oauth-clients',
            attributes: { key, secret, ...(isEntra && { 'ado-entra-tenant-id': tenant || null }) },
          },
        },
      }),
    () => connectPath && location.assign(connectPath),
  );
  return (
    <>
      <GuideBox product={provider.product} guide={guide}>
        <Facts
          of={[
            [texts.callbackUrl, callback && <Copyable key="callback" text={callback} what={texts.callbackUrl2} />],
            [
              texts.urlOfThisServer,
              callback && <Copyable key="url" text={new URL(callback).origin} what={texts.urlOfThisServer2} />,
            ],
          ]}
        />
      </GuideBox>
      <div className={styles.form}>
        <Form
          action={texts.saveAndSignIn(provider.product)}
          onSubmit={() => save.mutate()}
          busy={save.isPending}
          fault={save.error}
          off={(key === '' || secret === '') && texts.enterBoth(guide.key, guide.secret)}
        >
          <Field name="key" label={guide.key} value={key} onText={setKey} autoComplete="off" spellCheck={false} />
          <Field
            name="secret"
            label={guide.secret}
            help={texts.storedEncrypted}
            type="password"
            autoComplete="off"
            value={secret}
            onText={setSecret}
          />
          {isEntra && (
            <Field
              name="ado-entra-tenant-id"
              label={texts.tenant}
              help={texts.idOfTheDirectory}
              value={tenant}
              onText={setTenant}
              autoComplete="off"
              spellCheck={false}
            />
          )}
          <p className="soft">
            {texts.youComeBack(provider.product)} {texts.useAServiceAccount}
          </p>
        </Form>
      </div>
    </>
  );
}
