import type { ReactNode } from 'react';
import { Facts } from '../facts/Facts.tsx';
import { Area } from '../form/Field.tsx';
import { Form } from '../form/Form.tsx';
import { ClaimsShown } from './ClaimsShown.tsx';
import styles from './claims.module.css';

interface TokenAskedProps {
  readonly token: string;
  readonly onToken: (token: string) => void;
  readonly busy: boolean;
  readonly fault: Error | null;
  readonly onSubmit: () => void;
  /** What else is asked. */
  readonly children?: ReactNode;
}

/** Where the token of a pipeline is pasted. */
export function TokenAsked({ token, onToken, busy, fault, onSubmit, children }: TokenAskedProps) {
  const parts = token.trim().split('.').length;
  const off = token.trim() === '' ? 'Paste a token' : parts !== 3 && 'A token has three parts with a dot between them';
  return (
    <Form action="Try it" busy={busy} fault={fault} off={off} onSubmit={onSubmit}>
      <Area
        label="Token"
        help="As its issuer has signed it. It is sent to this server alone, which keeps nothing of it."
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
  /** Null where it is none. */
  readonly claims: Readonly<Record<string, unknown>> | null;
  /** What can be done with it. */
  readonly children: ReactNode;
}

/** What is in a token, whoever has signed it. */
export function TokenShown({ algorithm, keyId, claims, children }: TokenShownProps) {
  return (
    <>
      <div className={styles.head}>
        <h2>{claims === null ? 'What was pasted' : 'What the token says'}</h2>
        {children}
      </div>
      <Facts
        of={[
          ['Algorithm', algorithm && <code key="algorithm">{algorithm}</code>],
          ['Key', keyId && <code key="key">{keyId}</code>],
        ]}
      />
      {claims && <ClaimsShown of={claims} label="Claims" />}
    </>
  );
}
