import { type Compared, type Findings, isMutation, isRead } from './differences/comparison.ts';
import type { Kind } from './inputs.ts';
import type { Measured } from './measure.ts';
import { READERS } from './readers.ts';

const KINDS: readonly Kind[] = ['certificate', 'crl', 'ocsp'];

/** Returns the text of docs/reference/x509-differences.md. */
export function pageOf(measured: Measured): string {
  const files = measured.all.filter((compared) => !isMutation(compared));
  const mutations = measured.all.filter(isMutation);
  return `<!-- Written by docs/generate-x509-differences.ts. -->
# Differences from other X.509 parsers

A test suite parses the same certificates, CRLs and OCSP responses with Lockkeeper and three widely used parsers: Go (\`crypto/x509\`,
\`golang.org/x/crypto/ocsp\`), OpenSSL and pyca/cryptography. Each difference belongs to a class with a reason. \`npm run test:clients\` fails
if a file belongs to no class, or a class has no file.

This page is about parsing. A login can still refuse a certificate that was parsed:
see [path-validation.md](path-validation.md), [crl.md](crl.md) and [ocsp.md](ocsp.md).

Measured with ${measured.versions}.

| Parser | Certificates | CRLs | OCSP responses |
|---|---|---|---|
| all files | ${KINDS.map((kind) => ofKind(files, kind).length).join(' | ')} |
${accepted('Lockkeeper', files, ({ ours }) => ours)}
${READERS.map((reader) => accepted(reader, files, ({ others }) => others[reader])).join('\n')}

The first rows count files that a parser accepts. OpenSSL refuses a certificate if it marks it as invalid, so that its verification fails. It
refuses a CRL if it cannot decode the number, a reason or the authority key identifier.

The suite also reads ${mutations.length} *mutations*: four templates (a client certificate, a CA, a CRL, an OCSP response) in which one
element is omitted, duplicated, emptied, reordered or encoded in another way.

## Refused by Lockkeeper, accepted elsewhere

The last column shows how many files of the class each parser accepts.

${table(measured.refused, 'Accepted by')}

## Accepted by Lockkeeper, refused elsewhere

${table(measured.accepted, 'Refused by')}

## Different values

The suite compares these values:

- Certificates: serial number, validity, common name, organizations, organizational units, the bytes of both names, of the key
  and of every extension, alternative names by type, CA, path length, key usage, extended key usage, name constraints;
- CRLs: issuer, number, times, entries, reasons and key identifier;
- OCSP responses: status, answers and times.

${table(measured.values, 'Parser')}

## Paths

${measured.paths.length} paths consist of a client certificate and its CA, one of them mutated and then signed correctly. Lockkeeper, Go
(\`Verify\`) and OpenSSL (\`X509_verify_cert\`, purpose \`sslclient\`) validate them. pyca/cryptography only validates certificates of
the public web. Paths with a certificate that cannot be parsed are in the tables above.

Refused by Lockkeeper, valid elsewhere:

${table(measured.refusedPaths, 'Valid for')}

Valid for Lockkeeper, refused elsewhere:

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

A file in several packages is counted in the first one. The packages are downloaded only for the test.
`;
}

/** Returns the page without its numbers, which depend on the versions of the other parsers. */
export function withoutNumbers(page: string): string {
  const [, ...sections] = page.slice(0, page.indexOf('## Corpora')).split(/^(?=## )/m);
  return sections.join('').replaceAll(/^(\| [^|]+ \| [^|]+ \|).*$/gm, '$1');
}

function table(findings: Findings<{ readonly what: string; readonly reason: string }>, readers: string): string {
  const rows = findings.counts.map(({ class: { what, reason }, files, mutations, readers: by }) => {
    const names = READERS.filter((reader) => by.has(reader)).map((reader) => `${reader} ${by.get(reader)}`);
    return `| ${what} | ${reason} | ${files} | ${mutations} | ${names.join(', ')} |`;
  });
  return [`| Difference | Reason | Files | Mutations | ${readers} |`, '|---|---|---|---|---|', ...rows].join('\n');
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
