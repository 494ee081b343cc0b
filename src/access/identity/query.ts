/** How a lookup identifies an entity or a group. */
export type Query =
  | { readonly id: string }
  | { readonly name: string }
  | { readonly aliasId: string }
  | { readonly aliasName: string; readonly accessor: string };
