import type { AccessSchemas } from '../../api/client.ts';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Gauge } from '../../components/gauge/Gauge.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { day } from '../../format/time.ts';
import styles from './inspect.module.css';

type Certificate = AccessSchemas['CertDescription'];

/** What was shown, the certificate first, each with its life. */
export function Chain({ certificates }: { readonly certificates: readonly Certificate[] }) {
  return (
    <ol className={styles.chain} aria-label="Chain, from the certificate on">
      {certificates.map((one, at) => (
        <li key={one.fingerprint}>
          <Icon name={at === 0 ? 'cert' : 'role'} />
          <h3 dir="auto">{one.subject}</h3>
          <p className="soft">{at === 0 ? 'the certificate' : 'came with it'}</p>
          <Facts
            of={[
              ['Valid', <Life key="life" of={one} />],
              ['Issuer', <bdi key="issuer">{one.issuer}</bdi>],
              ['DNS', one.dns_sans.length > 0 && <Codes of={one.dns_sans} />],
              ['Email', one.email_sans.length > 0 && <Codes of={one.email_sans} />],
              ['URI', one.uri_sans.length > 0 && <Codes of={one.uri_sans} />],
              ['Unit', one.organizational_units.length > 0 && <Codes of={one.organizational_units} />],
              ['Serial', <code key="serial">{one.serial_number}</code>],
              ['SHA-256', <Copyable key="print" text={one.fingerprint} what="fingerprint" />],
            ]}
          />
        </li>
      ))}
    </ol>
  );
}

function Life({ of: { not_before: from, not_after: to } }: { readonly of: Certificate }) {
  const isPast = Date.parse(to) < Date.now();
  const isAhead = Date.parse(from) > Date.now();
  return (
    <>
      {day(from)} to {day(to)}
      {isPast && <span className={styles.bad}>, past its end</span>}
      {isAhead && <span className={styles.bad}>, not yet</span>}
      <Gauge from={from} to={to} />
    </>
  );
}

function Codes({ of }: { readonly of: readonly string[] }) {
  return (
    <ul className={styles.codes}>
      {of.map((one) => (
        <li key={one}>
          <code dir="auto">{one}</code>
        </li>
      ))}
    </ul>
  );
}
