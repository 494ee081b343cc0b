import type { ReactNode } from 'react';
import { Facts } from '../facts/Facts.tsx';
import { Area } from '../form/Field.tsx';
import { Form } from '../form/Form.tsx';
import { ClaimsShown } from './ClaimsShown.tsx';
import styles from './claims.module.css';
import * as texts from './texts.ts';

interface TokenAskedProps {
  readonly token: string;
  readonly onToken: (token: string) => void;
  readonly busy: boolean;
  readonly fault: Error | null;
  readonly onSubmit: () => void;
  /** Additional fields. */
  readonly children?: ReactNode;
}

/** Form for a pipeline's token. */
export function TokenAsked({ token, onToken, busy, fault, onSubmit, children }: TokenAskedProps) {
  const parts = token.trim().split('.').length;
  const off = token.trim() === '' ? texts.pasteAToken : parts !== 3 && texts.aTokenHasThree;
  return (
    <Form action={texts.checkToken} busy={busy} fault={fault} off={off} onSubmit={onSubmit}>
      <Area
        label={texts.token}
        help={texts.theTokenAsIts}
        isCode
        rows={8}
        placeholder="eyJ…"
        value={token}
        onText={onToken}
      />
      {children}
    </Form>
  );
}

interface TokenShownProps {
  readonly algorithm: string | null;
  readonly keyId: string | null;
  /** The parsed token. Null if the text is not a JWT. */
  readonly claims: Readonly<Record<string, unknown>> | null;
  /** Actions on the token. */
  readonly children: ReactNode;
}

/** Header and claims of a token. The signature may be invalid. */
export function TokenShown({ algorithm, keyId, claims, children }: TokenShownProps) {
  return (
    <>
      <div className={styles.head}>
        <h2>{claims === null ? texts.pastedText : texts.tokenContents}</h2>
        {children}
      </div>
      <Facts
        of={[
          [texts.algorithm, algorithm && <code key="algorithm">{algorithm}</code>],
          [texts.key, keyId && <code key="key">{keyId}</code>],
        ]}
      />
      {claims && <ClaimsShown of={claims} label={texts.claims} />}
    </>
  );
}
