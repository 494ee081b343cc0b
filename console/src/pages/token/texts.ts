/** Texts of the token page. */
export const texts = {
  access: 'Access',
  myToken: 'My token',
  theConsoleUsesThis: 'The console uses this token for the access API. The token itself is never shown.',
  yourToken: 'Your token',
  name: 'Name',
  accessor: 'Accessor',
  accessor2: 'accessor',
  policies: 'Policies',
  type: 'Type',
  createdAt: 'Created at',
  expires: 'Expires',
};
