import { Button } from '../../components/button/Button.tsx';
import { Area, Field, FieldGroup, Select } from '../../components/form/Field.tsx';
import { type Filled, type Pair, SOURCES, type Source } from './config.ts';
import styles from './jwt.module.css';
import * as texts from './texts.ts';

interface KeyPlacesProps {
  readonly of: Filled;
  readonly onChange: (change: Partial<Filled>) => void;
  readonly mayWrite: boolean;
}

/** Fields for the source of the issuer's keys. */
export function KeyPlaces({ of, onChange, mayWrite }: KeyPlacesProps) {
  return (
    <FieldGroup label={texts.issuerKeys}>
      <Select
        label={texts.source}
        value={of.source}
        options={SOURCES}
        off={!mayWrite && texts.youHaveNoPermission}
        onText={(source) => onChange({ source: source as Source })}
      />
      {of.source === 'discovery' && (
        <>
          <Field
            label="oidc_discovery_url"
            help={texts.urlOfTheIssuer}
            placeholder="https://token.actions.githubusercontent.com"
            value={of.discoveryUrl}
            onText={(discoveryUrl) => onChange({ discoveryUrl })}
            readOnly={!mayWrite}
            spellCheck={false}
          />
          <Authorities
            label="oidc_discovery_ca_pem"
            value={of.discoveryAuthorities}
            onText={(discoveryAuthorities) => onChange({ discoveryAuthorities })}
            mayWrite={mayWrite}
          />
        </>
      )}
      {of.source === 'jwks' && <Pairs of={of.pairs} onChange={(pairs) => onChange({ pairs })} mayWrite={mayWrite} />}
      {of.source === 'pem' && (
        <Area
          label="jwt_validation_pubkeys"
          help={texts.publicKeysOneAfter}
          isCode
          rows={8}
          placeholder="-----BEGIN PUBLIC KEY-----"
          value={of.keys}
          onText={(keys) => onChange({ keys })}
          readOnly={!mayWrite}
        />
      )}
    </FieldGroup>
  );
}

interface PairsProps {
  readonly of: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
  readonly mayWrite: boolean;
}

/** One or several JWKS URLs; a key of any of them is accepted. */
function Pairs({ of, onChange, mayWrite }: PairsProps) {
  const change = (at: number, pair: Pair) => onChange(of.map((one, index) => (index === at ? pair : one)));
  return (
    <>
      {of.map((pair, at) => {
        const which = of.length > 1 ? ` ${at + 1}` : '';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the position is their only identity
          <div key={at} className={styles.pair}>
            <Field
              label={`jwks_url${which}`}
              placeholder="https://gitlab.example.com/oauth/discovery/keys"
              value={pair.url}
              onText={(url) => change(at, { ...pair, url })}
              readOnly={!mayWrite}
              spellCheck={false}
            />
            <Authorities
              label={`jwks_ca_pem${which}`}
              value={pair.authorities}
              onText={(authorities) => change(at, { ...pair, authorities })}
              mayWrite={mayWrite}
            />
            {mayWrite && of.length > 1 && (
              <p className={styles.does}>
                <Button look="small" onClick={() => onChange(of.filter((_, index) => index !== at))}>
                  {texts.removeUrl(which)}
                </Button>
              </p>
            )}
          </div>
        );
      })}
      {mayWrite && (
        <p className={styles.does}>
          <Button look="small" onClick={() => onChange([...of, { url: '', authorities: '' }])}>
            {texts.addUrl}
          </Button>
        </p>
      )}
    </>
  );
}

interface AuthoritiesProps {
  readonly label: string;
  readonly value: string;
  readonly onText: (pem: string) => void;
  readonly mayWrite: boolean;
}

function Authorities({ label, value, onText, mayWrite }: AuthoritiesProps) {
  return (
    <Area
      label={label}
      help={texts.caCertificatesPemThat}
      isCode
      rows={3}
      value={value}
      onText={onText}
      readOnly={!mayWrite}
    />
  );
}
