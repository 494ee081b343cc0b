/** Texts of the revocation lists page. */
// Texts of AddListDialog.tsx
export const added = (name: string) => `Added ${name}`;
export const enterAName = 'Enter a name';
export const enterAUrlOr = 'Enter a URL, or paste the CRL';
export const addACrl = 'Add a CRL';
export const addCrl = 'Add CRL';
export const name = 'Name';
export const url = 'URL';
export const theServerFetchesThe = 'The server fetches the CRL now and refreshes it regularly.';
export const orPasteTheCrl = 'Or paste the CRL';
export const pemTheServerDoes = 'PEM. The server does not refresh a pasted CRL.';
export const theServerFetchesThe2 = 'The server fetches the CRL from the URL';
// Texts of FindSerial.tsx
export const serialNumberLookup = 'Serial number lookup';
export const lookUp = 'Look up';
export const enterDecimalDigitsOr = 'Enter decimal digits, or hexadecimal digits with colons';
export const revokedTheSerialNumber = (on: string) => `Revoked: the serial number is in ${on}.`;
export const couldNotCheck = (failed: string) => `Could not check ${failed}.`;
export const theCrl = 'the CRL';
export const theCrls = (length: number) => `the ${length} CRLs`;
export const theSerialNumberIs = (lists: string) => `The serial number is not in ${lists}.`;
export const serialNumber = 'Serial number';
export const asInTheCertificate = 'As in the certificate: 7104…, or 62:9b:…';
// Texts of RevocationListsPage.tsx
export const access = 'Access';
export const crls = 'CRLs';
export const certificateRevocationListsCrls = (mount: string) =>
  `Certificate revocation lists (CRLs) of the CAs of auth/${mount}. Logins with a listed certificate are refused.`;
export const addCrl2 = 'Add CRL…';
export const theCrls2 = 'The CRLs';
export const noCrlsYet = 'No CRLs yet';
export const withoutACrlRevoked =
  'Without a CRL, revoked certificates are accepted until they expire, unless the role uses OCSP. Add one, for example:';
export const state = 'State';
export const age = 'Age';
export const noNextUpdate = ', no next update';
export const entries = 'Entries';
export const source = 'Source';
export const uploaded = 'uploaded';
export const actions = 'Actions';
export const deleteText = 'Delete…';
export const overdueBy = ', overdue by ';
export const nextIn = ', next in ';
export const noPermissionToRead = 'no permission to read';
export const signatureInvalid = (value: string) => `signature invalid${value}`;
export const pastItsNextUpdate = 'past its next update: logins are refused';
export const pastItsNextUpdate2 = 'past its next update';
export const issuerUnknownToAllRoles = "no role contains the issuer's CA";
export const failedFetch = 'failed fetch';
export const failedFetches = 'failed fetches';
export const fresh = 'fresh';
export const crl = 'CRL';
export const theCrlIs = 'The CRL is';
export const allAre = (all: string) => `All ${all} are`;
export const freshAndVerified = (subject: string) => `${subject} fresh and verified`;
export const ofNeedAttention = (ill: number, all: string) => `${ill} of ${all} need attention`;
export const fetched = (name: string) => `Fetched ${name}`;
export const fetching = 'Fetching…';
export const fetchNow = 'Fetch now';
export const deleted = (name: string) => `Deleted ${name}`;
export const deleteTheCrl = (name: string) => `Delete the CRL ${name}`;
export const deleteText2 = 'Delete';
export const typeTheNameToConfirm = 'Type the name to confirm';
export const certificatesThatOnlyThis = 'Certificates that only this CRL revokes are accepted again.';
export const nameOfTheCrl = 'Name of the CRL';
export const typeToConfirm = (name: string) => `Type ${name} to confirm.`;
