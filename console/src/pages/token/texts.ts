/** Texts of the token page. */
export const access = 'Access';
export const myToken = 'My token';
export const theConsoleUsesThis = 'The console uses this token for the access API. The token itself is never shown.';
export const yourToken = 'Your token';
export const name = 'Name';
export const accessor = 'Accessor';
export const accessor2 = 'accessor';
export const policies = 'Policies';
export const type = 'Type';
export const createdAt = 'Created at';
export const expires = 'Expires';
