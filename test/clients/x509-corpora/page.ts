import { type Compared, type Findings, isMutation, isRead } from './differences/comparison.ts';
import type { Kind } from './inputs.ts';
import type { Measured } from './measure.ts';
import { READERS } from './readers.ts';

const KINDS: readonly Kind[] = ['certificate', 'crl', 'ocsp'];

/** Writes docs/reference/x509-differences.md. */
export function pageOf(measured: Measured): string {
  const files = measured.all.filter((compared) => !isMutation(compared));
  const mutations = measured.all.filter(isMutation);
  return `<!-- Written by docs/generate-x509-differences.ts. -->
# How other readers read certificates, CRLs and OCSP responses

Three widely used readers read the same files as Lockkeeper: Go (\`crypto/x509\`, \`golang.org/x/crypto/ocsp\`), OpenSSL and pyca/cryptography.
Each difference belongs to a class with a reason. A file in no class fails \`npm run test:clients\`, and so does a class without a file.
This page is about reading. A certificate that is read can still be refused at the login: [path-validation.md](path-validation.md),
[crl.md](crl.md) and [ocsp.md](ocsp.md) say for what.

Measured with ${measured.versions}.

| Read by | Certificates | CRLs | OCSP responses |
|---|---|---|---|
| files in all | ${KINDS.map((kind) => ofKind(files, kind).length).join(' | ')} |
${accepted('Lockkeeper', files, ({ ours }) => ours)}
${READERS.map((reader) => accepted(reader, files, ({ others }) => others[reader])).join('\n')}

OpenSSL counts as refusing a certificate that it marks as invalid, as its verification then refuses it. It counts as refusing a CRL whose
number, reasons or authority key identifier it cannot decode.

Beside the files, ${mutations.length} *mutations* are read: four templates (a client certificate, a CA, a CRL, an OCSP response) in which one
element is left out, doubled, emptied, reordered or written in another way.

## Refused here, read elsewhere

A file that all three others read is in one of these classes only where the last column has all three.

${table(measured.refused, 'Read by')}

## Read here, refused elsewhere

${table(measured.accepted, 'Refused by')}

## Other values

Compared are serial number, validity, common name, organizations, organizational units, the bytes of both names, of the key and of every
extension, alternative names by type, CA, path length, key usage, extended key usage, name constraints; of CRLs issuer, number, times, entries,
reasons and key identifier; of OCSP responses status, answers and times.

${table(measured.values, 'Reader')}

## Corpora

| Package | Certificates | CRLs | OCSP responses |
|---|---|---|---|
${Object.entries(measured.corpora)
  .map(([name, label]) => {
    const own = files.filter((file) => file.name.startsWith(`${name}/`));
    return `| ${label} | ${KINDS.map((kind) => ofKind(own, kind).length).join(' | ')} |`;
  })
  .join('\n')}

A file that is in several packages counts for the first. Nothing of these packages is part of Lockkeeper, or of this repository.
`;
}

/** Numbers depend on the versions of the other readers; classes and reasons do not. */
export function withoutNumbers(page: string): string {
  const [, ...sections] = page.slice(0, page.indexOf('## Corpora')).split(/^(?=## )/m);
  return sections.join('').replaceAll(/^(\| [^|]+ \| [^|]+ \|).*$/gm, '$1');
}

function table(findings: Findings<{ readonly what: string; readonly reason: string }>, readers: string): string {
  const rows = findings.counts.map(({ class: { what, reason }, files, mutations, readers: by }) => {
    const names = READERS.filter((reader) => by.has(reader)).map((reader) => `${reader} ${by.get(reader)}`);
    return `| ${what} | ${reason} | ${files} | ${mutations} | ${names.join(', ')} |`;
  });
  return [`| What | Why | Files | Mutations | ${readers} |`, '|---|---|---|---|---|', ...rows].join('\n');
}

function accepted(name: string, files: readonly Compared[], reading: (one: Compared) => Compared['ours']): string {
  const counts = KINDS.map((kind) => ofKind(files, kind).filter((one) => isRead(reading(one))).length);
  return `| ${name} | ${counts.join(' | ')} |`;
}

function ofKind(files: readonly Compared[], kind: Kind): Compared[] {
  return files.filter((file) => file.kind === kind);
}
