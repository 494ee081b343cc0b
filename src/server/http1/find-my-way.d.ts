/** The methods that Fastify's router takes: a list that it looks into for each route. */
declare module 'find-my-way/lib/http-methods.js' {
  const methods: string[];
  export default methods;
}
