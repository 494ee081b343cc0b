import { useState } from 'react';
import { useChange } from '../../../../api/change.ts';
import { Button } from '../../../../components/button/Button.tsx';
import { Field } from '../../../../components/form/Field.tsx';
import { Form } from '../../../../components/form/Form.tsx';
import { check } from '../connection.ts';
import * as texts from '../texts.ts';
import styles from '../version-control.module.css';
import type { CredentialStepProps } from './CredentialStep.tsx';
import { connectBy } from './create.ts';
import { GuideBox } from './GuideBox.tsx';
import { tokenGuide } from './guides.ts';

/** Connects by an access token, and checks the connection. */
export function TokenStep({ organization, provider, search, onBack, onConnect }: CredentialStepProps) {
  const [token, setToken] = useState('');
  const isGit = provider.id === 'git';
  const connect = useChange(
    async () => {
      const { id } = await connectBy(token, organization, provider, search);
      // Its result is the next step. A check that is refused is no reason to create the connection twice.
      await check(id).catch(() => undefined);
      return id;
    },
    (id) => onConnect(id),
  );
  return (
    <>
      <GuideBox product={provider.product} guide={tokenGuide(provider, search.http ?? '')} />
      <div className={styles.form}>
        <Form
          action={texts.connectAndCheck}
          onSubmit={() => connect.mutate()}
          busy={connect.isPending}
          fault={connect.error}
          off={token === '' && !isGit && texts.enterTheToken}
          also={
            <Button look="quiet" onClick={onBack}>
              {texts.back}
            </Button>
          }
        >
          <Field
            name="oauth-token-string"
            label={isGit ? texts.userAndPassword : texts.accessToken}
            help={
              <>
                {texts.storedEncrypted} {texts.useAServiceAccount}
              </>
            }
            type="password"
            autoComplete="off"
            value={token}
            onText={setToken}
          />
        </Form>
      </div>
    </>
  );
}
