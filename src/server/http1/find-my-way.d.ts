/** Methods that Fastify's router accepts. It checks the list for each route. */
declare module 'find-my-way/lib/http-methods.js' {
  const methods: string[];
  export default methods;
}
