/** What `/run` and its kin take and answer, for machines: made from the schemas that requests are read with. */
import { z } from 'zod'
import { InterruptBody, RunBody } from './body.ts'

const answer = (description: string, type = 'application/json') => ({
  description,
  content: { [type]: { schema: { type: type === 'application/json' ? 'object' : 'string' } } },
})
const bodyOf = (schema: z.ZodType) => ({
  required: true,
  content: { 'application/json': { schema: z.toJSONSchema(schema, { io: 'input', target: 'draft-2020-12' }) } },
})
const refused = {
  400: answer('The body was not understood, or there is no prompt'),
  401: answer('No or a wrong bearer token'),
  403: answer('Not allowed over HTTP, or asked by a web page'),
}

export const openApi = (version: string) => ({
  openapi: '3.1.0',
  info: { title: 'Belay', version, description: 'One prompt over HTTP, with the meanings of `belay run`.' },
  components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  paths: {
    '/run': {
      post: {
        summary: 'One turn of the agent. Ending the connection ends the run.',
        security: [{ token: [] }],
        requestBody: bodyOf(RunBody),
        responses: {
          200: {
            description: 'The result; with stream-json its lines as server-sent events',
            content: {
              'application/json': { schema: { type: 'object' } },
              'text/plain': { schema: { type: 'string' } },
              'text/event-stream': { schema: { type: 'string' } },
            },
          },
          ...refused,
          404: answer('No such workspace'),
          409: answer('A run of this session is under way'),
          500: answer('The run failed'),
        },
      },
    },
    '/run/interrupt': {
      post: {
        summary: 'Ends a run.',
        security: [{ token: [] }],
        requestBody: bodyOf(InterruptBody),
        responses: { 202: answer('It is being ended'), ...refused, 404: answer('No such run is under way') },
      },
    },
    '/health': { get: { summary: 'Whether it answers.', responses: { 200: answer('It does') } } },
    '/openapi.json': {
      get: { summary: 'This.', security: [{ token: [] }], responses: { 200: answer('This'), 401: refused[401] } },
    },
  },
})
