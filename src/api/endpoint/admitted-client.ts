import type { FastifyRequest } from "fastify";
import { BaseError } from "../../lib/error.ts";
import type { Client } from "../access/keys.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The client that sent the request, once it is admitted; null for endpoints that admit everyone. */
    client: Client | null;
  }
}

/** Returns the client of an admitted request, whose key has already been checked. */
export function admittedClient({ client }: FastifyRequest): Client {
  if (client === null) throw new NotAdmitted();
  return client;
}

class NotAdmitted extends BaseError {
  constructor() {
    super("internal", "the client of a request is needed before the request is admitted");
  }
}
