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

Lockkeeper and three widely used readers read the same files: Go (\`crypto/x509\`, \`golang.org/x/crypto/ocsp\`), OpenSSL and
pyca/cryptography. Each difference belongs to a class with a reason. \`npm run test:clients\` fails when a file belongs to no class,
and when a class has no file.

This page is about reading. A certificate that is read can still be refused at the login:
[path-validation.md](path-validation.md), [crl.md](crl.md) and [ocsp.md](ocsp.md) say why.

Measured with ${measured.versions}.

| Read by | Certificates | CRLs | OCSP responses |
|---|---|---|---|
| files in all | ${KINDS.map((kind) => ofKind(files, kind).length).join(' | ')} |
${accepted('Lockkeeper', files, ({ ours }) => ours)}
${READERS.map((reader) => accepted(reader, files, ({ others }) => others[reader])).join('\n')}

OpenSSL refuses a certificate here when it marks the certificate as invalid: its verification then fails. It refuses a CRL when it
cannot decode the number, a reason or the authority key identifier.

The suite also reads ${mutations.length} *mutations*: four templates (a client certificate, a CA, a CRL, an OCSP response) in which one
element is left out, doubled, emptied, reordered or encoded in another way.

## Refused here, read elsewhere

The last column says which readers accept files of the class, and how many.

${table(measured.refused, 'Read by')}

## Read here, refused elsewhere

${table(measured.accepted, 'Refused by')}

## Other values

The suite compares these values:

- of certificates: serial number, validity, common name, organizations, organizational units, the bytes of both names, of the key
  and of every extension, alternative names by type, CA, path length, key usage, extended key usage, name constraints;
- of CRLs: issuer, number, times, entries, reasons and key identifier;
- of OCSP responses: status, answers and times.

${table(measured.values, 'Reader')}

## Paths

${measured.paths.length} paths are a client certificate and its CA, one of them mutated and then signed correctly. Lockkeeper, Go
(\`Verify\`) and OpenSSL (\`X509_verify_cert\`, purpose \`sslclient\`) validate them. pyca/cryptography validates certificates of the
public web only. Paths with a certificate that is not read are in the tables above.

Refused here, valid elsewhere:

${table(measured.refusedPaths, 'Valid for')}

Valid here, refused elsewhere:

${table(measured.acceptedPaths, 'Refused by')}

## Corpora

| Package | Certificates | CRLs | OCSP responses |
|---|---|---|---|
${Object.entries(measured.corpora)
  .map(([name, label]) => {
    const own = files.filter((file) => file.name.startsWith(`${name}/`));
    return `| ${label} | ${KINDS.map((kind) => ofKind(own, kind).length).join(' | ')} |`;
  })
  .join('\n')}

A file that is in several packages counts for the first of them. The packages are downloaded for the test only.
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
  return [`| Difference | Why | Files | Mutations | ${readers} |`, '|---|---|---|---|---|', ...rows].join('\n');
}

function accepted(
  name: string,
  files: readonly Compared[],
  reading: (one: Compared) => Compared['ours'] | undefined,
): string {
  const counts = KINDS.map((kind) => ofKind(files, kind).filter((one) => isRead(reading(one))).length);
  return `| ${name} | ${counts.join(' | ')} |`;
}

function ofKind(files: readonly Compared[], kind: Kind): Compared[] {
  return files.filter((file) => file.kind === kind);
}
