import type { AccessSchemas } from '../../api/client.ts';
import { Copyable } from '../../components/copy/Copyable.tsx';
import { Facts } from '../../components/facts/Facts.tsx';
import { Gauge } from '../../components/gauge/Gauge.tsx';
import { Icon } from '../../components/icon/Icon.tsx';
import { day } from '../../format/time.ts';
import styles from './inspect.module.css';
import * as texts from './texts.ts';

type Certificate = AccessSchemas['CertDescription'];

/** The presented certificates, the leaf first, each with its validity. */
export function Chain({ certificates }: { readonly certificates: readonly Certificate[] }) {
  return (
    <ol className={styles.chain} aria-label={texts.certificateChain}>
      {certificates.map((one, at) => (
        <li key={one.fingerprint}>
          <Icon name={at === 0 ? 'cert' : 'role'} />
          <h3 dir="auto">{one.subject}</h3>
          <p className="soft">{at === 0 ? texts.theCertificate : texts.presentedWithTheCertificate}</p>
          <Facts
            of={[
              [texts.valid, <Life key="life" of={one} />],
              [texts.issuer, <bdi key="issuer">{one.issuer}</bdi>],
              [texts.dns, one.dns_sans.length > 0 && <Codes of={one.dns_sans} />],
              [texts.email, one.email_sans.length > 0 && <Codes of={one.email_sans} />],
              [texts.uri, one.uri_sans.length > 0 && <Codes of={one.uri_sans} />],
              [texts.ip, one.ip_sans.length > 0 && <Codes of={one.ip_sans} />],
              [texts.otherNames, one.other_sans.length > 0 && <Codes of={one.other_sans} />],
              [
                texts.organizationalUnit,
                one.organizational_units.length > 0 && <Codes of={one.organizational_units} />,
              ],
              [texts.keyPurposes, one.extended_key_usage !== null && <Codes of={one.extended_key_usage} />],
              [texts.serial, <code key="serial">{one.serial_number}</code>],
              [texts.sha256, <Copyable key="print" text={one.fingerprint} what={texts.fingerprint} />],
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
      {texts.to(day(from), day(to))}
      {isPast && <span className={styles.bad}>{texts.expired}</span>}
      {isAhead && <span className={styles.bad}>{texts.notYetValid}</span>}
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
