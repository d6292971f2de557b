/**
 * Made of the service's OpenAPI document by `npm run client:generate`; a test fails when it is not the document's.
 */
export interface paths {
    "/box/open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a box
         * @description Uses one of the openings that the player has, draws a prize and puts it into the player’s inventory. The prize’s `id` is what the other two operations take as `prize_id`.
         */
        post: operations["openBox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/prize/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Order a prize
         * @description Records that the player wants a physical prize sent. It is sent once the casino has confirmed the order.
         */
        post: operations["orderPrize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/prize/cashback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cash a prize back
         * @description Records that the player takes the prize’s cashback instead of the prize.
         */
        post: operations["cashBackPrize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/boxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the boxes that are open
         * @description With their odds; for a player also what the player may open.
         */
        get: operations["listOpenBoxes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/boxes/{box_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an open box
         * @description With its odds and what is in stock; for a player also what the player may open. A box that is closed, sold out or off is not found.
         */
        get: operations["getOpenBox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fairness/seeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the seeds
         * @description The commitments of all, and the seeds themselves of those that are used no more.
         */
        get: operations["listSeeds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fairness/openings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the evidence of openings
         * @description Of all under a seed, of a player, or of both. `npm run verify` recomputes them offline.
         */
        get: operations["listOpeningEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fairness/openings/{opening_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the evidence of an opening
         * @description Everything that is needed to draw it again. The seed is in it once it is revealed.
         */
        get: operations["getOpeningEvidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fairness/players/{player_id}/client-seed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a player’s client seed
         * @description What the player has chosen, and what is mixed in under the seed in use.
         */
        get: operations["getClientSeed"];
        /**
         * Set a player’s client seed
         * @description It is mixed in from the next server seed on that is new to the player. `null` takes it back.
         */
        put: operations["setClientSeed"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/partners/fulfilment/{casino_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Tell where a parcel is
         * @description For the casino’s fulfilment provider, signed as [Standard Webhooks](https://www.standardwebhooks.com) says with the secret of the setting `fulfilment`.
         */
        post: operations["reportShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the casinos
         * @description Sandboxes among them. For the service’s own admin key only.
         */
        get: operations["listCasinos"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a casino
         * @description Its name, and whose sandbox it is.
         */
        get: operations["getCasino"];
        /**
         * Create or rename a casino
         * @description The service’s own admin key creates casinos; a casino’s key can rename its own.
         */
        put: operations["putCasino"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the service’s audit trail
         * @description What concerns no casino. For the service’s own admin key only.
         */
        get: operations["listServiceAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the audit trail
         * @description Who did what with the casino’s things, with each entry’s place and hash in the chain.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the API keys
         * @description Also those that have expired or are revoked.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Make an API key
         * @description The answer is the only one that has the key itself. One that is made by a key ends no later than that key, is for no other addresses, and is revoked with it. A casino has at most 100 keys that work, those of its sandbox among them.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/api-keys/{key_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description It stops working everywhere within seconds, and cannot be brought back. So do all keys that it made or rotated, and those that came of them.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/api-keys/{key_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an API key
         * @description The new key has the same maker, name, mode and scopes. The old one lives on for the overlap. Rotated by a key, it ends no later than the old one.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/fairness/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on with the next seed
         * @description The seed that was in use is revealed half a minute later.
         */
        post: operations["rotateSeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the settings
         * @description Secrets are not shown. A setting that nobody has changed has its default value.
         */
        get: operations["listSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/settings/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a setting
         * @description Its secret is not shown.
         */
        get: operations["getSetting"];
        /**
         * Change a setting
         * @description As a whole, but for its secret, which stays unless told otherwise. The one before goes on for the overlap. A paused setting goes on.
         */
        put: operations["putSetting"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/settings/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a setting
         * @description Calls its partner once: that of the setting in the body, or without one of the saved setting.
         */
        post: operations["testSetting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/settings/{name}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused setting
         * @description Work that waited for it goes on.
         */
        post: operations["resumeSetting"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/items/{item_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an item
         * @description As it is now; prizes keep what they were won with.
         */
        get: operations["getItem"];
        /**
         * Create or replace an item
         * @description As a whole: what is left out, it no longer has. Prizes won before keep what was promised.
         */
        put: operations["putItem"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the items
         * @description The casino’s catalogue.
         */
        get: operations["listItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/boxes/{box_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a box
         * @description The current version, or the one that `version` names.
         */
        get: operations["getBox"];
        /**
         * Publish a box
         * @description A new version, unless the current one is the same: then nothing changes, and `unchanged` is true. The `stock` of an entry is the most that can be won of it since it was last given out: where the version before has a stock of the same item, the entry goes on with the new stock less what was won, unless it says `restock`. With `expected_version` nothing is published on top of any other version (0: of any box). The versions before stay as they are.
         */
        put: operations["publishBox"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/boxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the boxes
         * @description Open or not; `GET /boxes` has those that players can open.
         */
        get: operations["listBoxes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/boxes/{box_id}/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a box
         * @description What it means for the casino, and draws from it. Nothing is published or opened.
         */
        post: operations["simulateBox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/boxes/{box_id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch a box on
         * @description The switch is the box’s: versions that are published later keep it.
         */
        post: operations["enableBox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/boxes/{box_id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch a box off
         * @description Nobody can open it until it is switched on again. Granted openings stay.
         */
        post: operations["disableBox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant openings
         * @description All of them or none. A `grant_id` makes its grant safe to repeat.
         */
        post: operations["createGrants"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/prizes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a prize
         * @description Under a `prize_id` of the caller’s it is safe to repeat.
         */
        post: operations["givePrize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/prizes/{prize_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a prize
         * @description With its orders and cashbacks, and all that happened to any of them.
         */
        get: operations["getPrize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/prizes/{prize_id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void a prize
         * @description One that was given by mistake or won by fraud, for good. Only while it is `won`: void an ordered one by its order, and one that is cashed back by its cashback. A limited stock does not get it back.
         */
        post: operations["voidPrize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/players/{player_id}/prizes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a player’s prizes
         * @description In any state, or in the one that `state` names.
         */
        get: operations["listPlayerPrizes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/players/{player_id}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a player’s grants
         * @description Used up and expired ones among them.
         */
        get: operations["listPlayerGrants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/players/{player_id}/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a player’s balance
         * @description What was credited and not reversed.
         */
        get: operations["getPlayerBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/players/{player_id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase what is known of a player as a person
         * @description Orders on their way are erased when they are finished.
         */
        post: operations["erasePlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/players/{player_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export all that is stored about a player
         * @description Of each kind the newest 500, with what belongs to them; while `complete` is false, the rest follows with `next_cursor`.
         */
        post: operations["exportPlayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the orders
         * @description Of a state, of a player, held or not.
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/orders/{order_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an order
         * @description With its history. Each reading of the delivery details is in the audit trail.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/orders/{order_id}/delivery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Correct the delivery details
         * @description All of them. An order that was confirmed with the old ones needs a new confirmation.
         */
        put: operations["correctOrderDelivery"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/orders/{order_id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm an order
         * @description From then on it can be sent.
         */
        post: operations["confirmOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/orders/{order_id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject an order
         * @description The player gets the prize back, or it is void.
         */
        post: operations["rejectOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/orders/{order_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an order
         * @description The player gets the prize back, or it is void. What a provider has is cancelled when the provider agrees; repeated with `final` true, people have the last word.
         */
        post: operations["cancelOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/orders/{order_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Go on with a cancelled cancellation
         * @description The order goes on from where it was before the cancellation.
         */
        post: operations["resumeOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/orders/{order_id}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold an order
         * @description While it is held it is not sent.
         */
        post: operations["holdOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/orders/{order_id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release an order
         * @description From one hold, or from all.
         */
        post: operations["releaseOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/orders/{order_id}/ship": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that an order is on its way
         * @description Or, later, with which carrier and tracking number.
         */
        post: operations["shipOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/orders/{order_id}/deliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that an order has arrived
         * @description That ends it.
         */
        post: operations["deliverOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/orders/{order_id}/exception": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that an order has not arrived
         * @description It can be sent again, or cancelled.
         */
        post: operations["reportOrderException"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/orders/{order_id}/reship": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an order again
         * @description As another parcel, with the next `shipment_number`.
         */
        post: operations["reshipOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/cashbacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the cashbacks
         * @description Of a state, of a player.
         */
        get: operations["listCashbacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/cashbacks/{cashback_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a cashback
         * @description With what was tried and what people did.
         */
        get: operations["getCashback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/cashbacks/{cashback_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the wallet again
         * @description At once, with the same transaction id as before.
         */
        post: operations["retryCashback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/cashbacks/{cashback_id}/release-wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let another wallet be asked
         * @description Somebody has found out that the wallet that was asked has not paid. The next attempt goes to the casino’s present wallet.
         */
        post: operations["releaseCashbackWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/cashbacks/{cashback_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what the wallet has done
         * @description Somebody has found out whether it has credited, or taken the credit back.
         */
        post: operations["resolveCashback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/cashbacks/{cashback_id}/reverse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a credit back
         * @description Our own ledger takes it back at once. A wallet of the casino is asked first, unless the casino has the money back already; the prize goes back to the player, or is void, when it has taken it.
         */
        post: operations["reverseCashback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the feed of events
         * @description Whoever goes on from `next_cursor` every time sees each event exactly once, and those of one object in their order.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an event
         * @description As the feed and webhooks have it.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/events/{event_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an event’s deliveries
         * @description How often each was tried, and what came of it.
         */
        get: operations["listEventDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/events/{event_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again
         * @description To one endpoint, or to all that want its type.
         */
        post: operations["replayEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/webhook-endpoints/{endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a webhook endpoint
         * @description With how many deliveries wait. Its secret is not shown.
         */
        get: operations["getWebhookEndpoint"];
        /**
         * Create or replace a webhook endpoint
         * @description As a whole, but for its secret and its state.
         */
        put: operations["putWebhookEndpoint"];
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description It gets nothing any more, also of what it has not had.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints
         * @description Without their secrets.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/webhook-endpoints/{endpoint_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a webhook endpoint’s secret
         * @description The answer is the only one that has it. For the overlap everything is signed with the others too.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/webhook-endpoints/{endpoint_id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch a webhook endpoint on
         * @description It goes on where it stopped, in order.
         */
        post: operations["enableWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/webhook-endpoints/{endpoint_id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch a webhook endpoint off
         * @description Events wait for it.
         */
        post: operations["disableWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/webhook-endpoints/{endpoint_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event now
         * @description Of the type `webhook.test`, once, whatever the endpoint’s state; it is in no feed and is not repeated.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/webhook-endpoints/{endpoint_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the events of a time again
         * @description Or those of them that have failed for good. While there is a `next_cursor` there is more: ask with the same body and it as `cursor`.
         */
        post: operations["replayWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/casinos/{casino_id}/webhook-endpoints/{endpoint_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a webhook endpoint’s deliveries
         * @description What was sent to it, or waits to be.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/fairness/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the key that signs evidence
         * @description The Ed25519 key whose signatures stand in the evidence of openings.
         */
        get: operations["getSigningKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process answers
         * @description For liveness probes: it looks at nothing outside the process.
         */
        get: operations["checkHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process can do its work
         * @description For readiness probes: it looks at the database and the queue.
         */
        get: operations["checkReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics
         * @description What Prometheus scrapes.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/security.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where to report a weakness
         * @description The contact of those who run the service, if they have named one.
         */
        get: operations["getSecurityContact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document
         * @description For programs: generators, API gateways, test tools.
         */
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This document, to be read
         * @description For people: one page without scripts.
         */
        get: operations["getDocumentationPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    receiveEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an event
         * @description To a casino’s webhook endpoints that want its type: at least once, and those of one object in their order. Answer within ten seconds, and act on each `id` once.
         */
        post: operations["receiveEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    creditCashback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Credit a cashback
         * @description To the URL of the casino’s setting `wallet`: the wallet credits the player once for this `transaction_id`, however often it is asked.
         */
        post: operations["creditCashback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    debitCashback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take a credit back
         * @description To the URL of the casino’s setting `wallet`: the wallet takes the amount out of the player’s account, once for this `transaction_id`.
         */
        post: operations["debitCashback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    pingWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the wallet
         * @description What `POST …/settings/wallet/test` sends. It changes nothing.
         */
        post: operations["pingWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    submitShipment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a parcel
         * @description To the URL of the casino’s setting `fulfilment`: one `submission_id` is one parcel, however often it is submitted. The only call with delivery details.
         */
        post: operations["submitShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    cancelShipment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Do not send a parcel
         * @description If that is still possible. `pending` says that the provider tells later.
         */
        post: operations["cancelShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    askShipmentStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask where a parcel is
         * @description Every `poll_minutes`; once a day after 30 days without a change.
         */
        post: operations["askShipmentStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    pingProvider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the fulfilment provider
         * @description What `POST …/settings/fulfilment/test` sends. It changes nothing.
         */
        post: operations["pingProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AlreadyProcessedAnswer: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "already_processed";
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /** @description The partner’s own name for it, for people to find it by. */
            reference?: string | null;
        };
        ApiKey: {
            /** @description The key’s id, which is no secret. */
            key_id: string;
            /** @description Its name. */
            name: string | null;
            /**
             * @description Whether the key is for the casino or for its sandbox.
             * @enum {string}
             */
            mode: "live" | "test";
            /** @description What the key may do. */
            scopes: ("play" | "manage")[];
            /** @description Whether the three operations need an `Idempotency-Key` with this key. */
            require_idempotency_key: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Until when it can be used.
             */
            expires_at: string | null;
            /** @description Addresses and networks that the key may be used from; none for all. */
            allowed_addresses: string[];
            /** @description Which key made the key, or `admin`; null when it is older than this field. */
            created_by: string | null;
            /** @description Which key it replaced. */
            rotated_from: string | null;
            /** @description Who replaced that key: `admin`, or the id of a key. */
            rotated_by: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked.
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description About when the key was last used.
             */
            last_used_at: string | null;
        };
        ApiKeyPage: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["ApiKey"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example azNuOHgycDVxN3I5czF0NA
             */
            next_cursor?: string;
        };
        AuditEntry: {
            /**
             * @description Its id.
             * @example aud_01b977d7aa0076a1b2c3d4e5f6071808
             */
            id: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /** @description Who did it: a key, the admin, or a worker. */
            actor: string;
            /** @description The address that it came from. */
            address: string | null;
            /** @description What was done: method and route. */
            action: string;
            /** @description The path’s parameters. */
            params: {
                [key: string]: string;
            };
            /** @description Why, for the history. */
            reason: string | null;
            /** @description The request that did it. */
            request_id: string;
            /** @description What came of it. */
            outcome: string;
            /** @description Counts what happens to one object, or the openings of one player, from 1. */
            sequence: number | null;
            /** @description The entry’s hash in the chain; null until it is chained. */
            hash: string | null;
        };
        AuditEntryPage: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["AuditEntry"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example YXVkXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA4
             */
            next_cursor?: string;
        };
        Balance: {
            /** @description ISO 4217. */
            currency: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
        };
        Box: {
            /** @description The box. */
            box_id: string;
            /** @description The box’s version. */
            version: number;
            /** @description Its name. */
            name: string;
            /** @description What players are told of it, or for people to know it by. */
            description: string | null;
            /** @description Where a picture of it is. */
            image_url: string | null;
            /** @description Whether the box is on. */
            enabled: boolean;
            /**
             * @description Who may open the box: players with a grant, or everybody within the limit.
             * @enum {string}
             */
            access: "granted" | "limited";
            /** @description How often a player may open the box, when its access is `limited`. */
            limit: components["schemas"]["OpeningLimit"] | null;
            /**
             * Format: date-time
             * @description From when on the box can be opened; without it at once.
             */
            active_from: string | null;
            /**
             * Format: date-time
             * @description Until when the box can be opened; without it for ever.
             */
            active_until: string | null;
            /** @description The item that is given when an entry is out of stock. */
            fallback_item_id: string | null;
            /** @description The SHA-256 of the odds table. */
            odds_hash: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When this version was published.
             */
            published_at: string;
            /** @description What can be drawn. */
            entries: components["schemas"]["BoxEntry"][];
        };
        BoxEntry: {
            /** @description The item. */
            item_id: string;
            /** @description How probable the entry is, beside the weights of the others. */
            weight: number;
            /** @description The most that can be won of it since it was last given out; without it as many as it takes. What is published later goes on with what is left. */
            stock: number | null;
            /** @description What is left of the stock. */
            remaining: number | null;
        };
        BoxReport: {
            /** @description The box. */
            box_id: string;
            /** @description The box’s version. */
            version: number | null;
            /** @description The SHA-256 of the odds table. */
            odds_hash: string;
            /** @description What may be a mistake. */
            warnings: components["schemas"]["BoxWarning"][];
            /** @description The items that can be won. */
            items: components["schemas"]["BoxReportItem"][];
            /** @description The expected cashback of an opening, by currency. */
            cost_per_opening: components["schemas"]["ExpectedCost"][];
            /** @description The same when every limited stock is used up. */
            cost_when_used_up: components["schemas"]["ExpectedCost"][] | null;
            /** @description The stock that is expected to be used up first. */
            first_run_out: components["schemas"]["RunOut"] | null;
            /** @description When limited stocks are expected to be used up. */
            run_outs: components["schemas"]["RunOut"][];
            /** @description What was drawn; null without draws. */
            simulation: components["schemas"]["Simulation"] | null;
        };
        BoxReportItem: {
            /** @description The item. */
            item_id: string;
            /** @description Its name. */
            name: string | null;
            /** @description The probability. */
            odds: components["schemas"]["Odds"];
        };
        BoxReportResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["BoxReport"];
        };
        BoxResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Box"];
        };
        BoxSummary: {
            /** @description The box. */
            box_id: string;
            /** @description The box’s version. */
            version: number;
            /** @description Its name. */
            name: string;
            /** @description What players are told of it, or for people to know it by. */
            description: string | null;
            /** @description Where a picture of it is. */
            image_url: string | null;
            /** @description Whether the box is on. */
            enabled: boolean;
            /**
             * @description Who may open the box: players with a grant, or everybody within the limit.
             * @enum {string}
             */
            access: "granted" | "limited";
            /** @description How often a player may open the box, when its access is `limited`. */
            limit: components["schemas"]["OpeningLimit"] | null;
            /**
             * Format: date-time
             * @description From when on the box can be opened; without it at once.
             */
            active_from: string | null;
            /**
             * Format: date-time
             * @description Until when the box can be opened; without it for ever.
             */
            active_until: string | null;
            /** @description The item that is given when an entry is out of stock. */
            fallback_item_id: string | null;
            /** @description The SHA-256 of the odds table. */
            odds_hash: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When this version was published.
             */
            published_at: string;
        };
        BoxSummaryPage: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["BoxSummary"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example ZGFpbHk
             */
            next_cursor?: string;
        };
        BoxWarning: {
            /**
             * @description What it is about, for programs.
             * @enum {string}
             */
            code: "entry_never_won" | "box_never_opens" | "closes_when_used_up" | "fallback_never_given" | "runs_out_early" | "stock_carried_over" | "stock_ended" | "stock_given_out_again";
            /** @description The same in a sentence, for people. */
            message: string;
            /** @description Its name. */
            name?: string;
        };
        CancelAnswer: {
            /**
             * @description How it ended.
             * @enum {string}
             */
            status: "cancelled" | "refused" | "pending";
        };
        CancelCall: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "order.cancel";
            /**
             * @description Names the parcel: one id is one parcel.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803-1
             */
            submission_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /** @description Counts the order’s parcels, from 1. */
            shipment_number: number;
        };
        CancelOrderRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
            /** @description Whether the player gets the prize back; else it is void. */
            return_prize?: boolean;
            /** @description Whether people have the last word. */
            final?: boolean;
        };
        CashBackPrizeBadRequestError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Missing or invalid player_id or prize_id";
        };
        CashBackPrizeInternalServerError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "An error occurred while recording the cashback decision.";
        };
        CashBackPrizeNotFoundError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Prize not found or unavailable for cashback";
        };
        CashBackPrizePayloadTooLargeError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Request body too large";
        };
        CashBackPrizeRequest: {
            /** @description The player, in the caller’s own words. */
            player_id: string | number;
            /** @description The prize. */
            prize_id: string | number;
        };
        CashBackPrizeServiceUnavailableError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "The service is overloaded, try again later";
        };
        CashBackPrizeTooManyRequestsError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @enum {string}
             */
            message: "Too many attempts with invalid API keys, try again later" | "Too many requests, try again later";
        };
        CashBackPrizeUnauthorizedError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Invalid or missing API key";
        };
        CashBackPrizeUnprocessableEntityError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "This Idempotency-Key was used for a different request";
        };
        Cashback: {
            /** @description The cashback. */
            cashback_id: string;
            /** @description The prize. */
            prize_id: string;
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "requested" | "processing" | "credited" | "declined" | "unknown" | "manual_review" | "reversing" | "reversal_unknown" | "reversal_review" | "reversed";
            /**
             * @description Who credits it; null before it is taken up.
             * @enum {string|null}
             */
            wallet: "ledger" | "http" | null;
            /** @description How often it was tried. */
            attempts: number;
            /** @description The wallet’s own name for it. */
            wallet_reference: string | null;
            /** @description What is wrong, as a code. */
            problem: string | null;
            /**
             * @description Whether the prize goes back to the player or is void, once the wallet has the money back.
             * @enum {string|null}
             */
            reversal_prize: "return" | "void" | null;
            /** @description How often the wallet was asked to take the credit back. */
            debit_attempts: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        CashbackCreditedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "cashback.credited";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["CashbackEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["CashbackCreditedEventData"];
        };
        CashbackCreditedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "requested" | "processing" | "unknown" | "manual_review" | "reversing" | "reversal_unknown" | "reversal_review";
            /**
             * @description The state after it.
             * @constant
             */
            to: "credited";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /** @description Which of the calls. */
            attempt?: number;
        };
        CashbackDeclinedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "cashback.declined";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["CashbackEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["CashbackDeclinedEventData"];
        };
        CashbackDeclinedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "requested" | "processing" | "manual_review";
            /**
             * @description The state after it.
             * @constant
             */
            to: "declined";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /** @description Which of the calls. */
            attempt?: number;
            /**
             * @description What is wrong, as a code.
             * @example player_blocked
             */
            problem?: string;
        };
        CashbackDetails: {
            /** @description The cashback. */
            cashback_id: string;
            /** @description The prize. */
            prize_id: string;
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "requested" | "processing" | "credited" | "declined" | "unknown" | "manual_review" | "reversing" | "reversal_unknown" | "reversal_review" | "reversed";
            /**
             * @description Who credits it; null before it is taken up.
             * @enum {string|null}
             */
            wallet: "ledger" | "http" | null;
            /** @description How often it was tried. */
            attempts: number;
            /** @description The wallet’s own name for it. */
            wallet_reference: string | null;
            /** @description What is wrong, as a code. */
            problem: string | null;
            /**
             * @description Whether the prize goes back to the player or is void, once the wallet has the money back.
             * @enum {string|null}
             */
            reversal_prize: "return" | "void" | null;
            /** @description How often the wallet was asked to take the credit back. */
            debit_attempts: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description What wallets have said of it, the oldest first. Kept for ever. */
            wallet_answers: components["schemas"]["WalletAnswer"][];
            /** @description All that happened to it, the oldest first. */
            history: components["schemas"]["HistoryEntry"][];
        };
        CashbackDetailsResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["CashbackDetails"];
        };
        CashbackEventObject: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "cashback";
            /**
             * @description Its id.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            id: string;
        };
        CashbackManualReviewEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "cashback.manual_review";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["CashbackEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["CashbackManualReviewEventData"];
        };
        CashbackManualReviewEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "unknown";
            /**
             * @description The state after it.
             * @constant
             */
            to: "manual_review";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /** @description Which of the calls. */
            attempt?: number;
            /**
             * @description What is wrong, as a code.
             * @example timeout
             */
            problem?: string;
        };
        CashbackPage: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Cashback"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example Y2JrXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA0
             */
            next_cursor?: string;
        };
        CashbackProcessingEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "cashback.processing";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["CashbackEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["CashbackProcessingEventData"];
        };
        CashbackProcessingEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "requested" | "unknown" | "manual_review" | "processing";
            /**
             * @description The state after it.
             * @constant
             */
            to: "processing";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /** @description Which of the calls. */
            attempt?: number;
        };
        CashbackRequestedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "cashback.requested";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["CashbackEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 1
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["CashbackRequestedEventData"];
        };
        CashbackRequestedEventData: {
            /** @description Where it began: the state before, or a time. */
            from: null;
            /**
             * @description The state after it.
             * @constant
             */
            to: "requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
        };
        CashbackResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Cashback"];
        };
        CashbackReversalDeclinedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "cashback.reversal_declined";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["CashbackEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["CashbackReversalDeclinedEventData"];
        };
        CashbackReversalDeclinedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "reversing" | "reversal_unknown" | "reversal_review";
            /**
             * @description The state after it.
             * @constant
             */
            to: "credited";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /** @description Which of the calls. */
            attempt?: number;
            /**
             * @description What is wrong, as a code.
             * @example insufficient_funds
             */
            problem?: string;
        };
        CashbackReversalReviewEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "cashback.reversal_review";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["CashbackEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["CashbackReversalReviewEventData"];
        };
        CashbackReversalReviewEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "reversal_unknown";
            /**
             * @description The state after it.
             * @constant
             */
            to: "reversal_review";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /** @description Which of the calls. */
            attempt?: number;
            /**
             * @description What is wrong, as a code.
             * @example timeout
             */
            problem?: string;
        };
        CashbackReversalUnknownEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "cashback.reversal_unknown";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["CashbackEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["CashbackReversalUnknownEventData"];
        };
        CashbackReversalUnknownEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "reversing";
            /**
             * @description The state after it.
             * @constant
             */
            to: "reversal_unknown";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /** @description Which of the calls. */
            attempt?: number;
            /**
             * @description What is wrong, as a code.
             * @example timeout
             */
            problem?: string;
        };
        CashbackReversedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "cashback.reversed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["CashbackEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["CashbackReversedEventData"];
        };
        CashbackReversedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "credited" | "reversing" | "reversal_unknown" | "reversal_review";
            /**
             * @description The state after it.
             * @constant
             */
            to: "reversed";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /** @description Which of the calls. */
            attempt?: number;
        };
        CashbackReversingEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "cashback.reversing";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["CashbackEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["CashbackReversingEventData"];
        };
        CashbackReversingEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "credited" | "reversal_unknown" | "reversal_review" | "reversing";
            /**
             * @description The state after it.
             * @constant
             */
            to: "reversing";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /** @description Which of the calls. */
            attempt?: number;
        };
        CashbackUnknownEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "cashback.unknown";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["CashbackEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["CashbackUnknownEventData"];
        };
        CashbackUnknownEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "processing";
            /**
             * @description The state after it.
             * @constant
             */
            to: "unknown";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /** @description Which of the calls. */
            attempt?: number;
            /**
             * @description What is wrong, as a code.
             * @example timeout
             */
            problem?: string;
        };
        CashbackWalletContradictedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "cashback.wallet_contradicted";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["CashbackEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["CashbackWalletContradictedEventData"];
        };
        CashbackWalletContradictedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @example declined
             * @enum {string}
             */
            from: "requested" | "processing" | "credited" | "declined" | "unknown" | "manual_review" | "reversing" | "reversal_unknown" | "reversal_review" | "reversed";
            /**
             * @description The state after it.
             * @example declined
             * @enum {string}
             */
            to: "requested" | "processing" | "credited" | "declined" | "unknown" | "manual_review" | "reversing" | "reversal_unknown" | "reversal_review" | "reversed";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /** @description Which of the calls. */
            attempt: number;
            /**
             * @description What came of it.
             * @enum {string}
             */
            outcome: "credited" | "debited" | "already_processed" | "declined";
            /**
             * @description What it is about, for programs.
             * @example player_blocked
             */
            code?: string;
            /**
             * @description What is wrong, as a code.
             * @example wallet_contradicted
             */
            problem?: string;
        };
        CashbackWalletReleasedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "cashback.wallet_released";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["CashbackEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["CashbackWalletReleasedEventData"];
        };
        CashbackWalletReleasedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @example unknown
             * @enum {string}
             */
            from: "requested" | "processing" | "credited" | "declined" | "unknown" | "manual_review" | "reversing" | "reversal_unknown" | "reversal_review" | "reversed";
            /**
             * @description The state after it.
             * @example unknown
             * @enum {string}
             */
            to: "requested" | "processing" | "credited" | "declined" | "unknown" | "manual_review" | "reversing" | "reversal_unknown" | "reversal_review" | "reversed";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
        };
        Casino: {
            /** @description The casino. */
            casino_id: string;
            /** @description Its name. */
            name: string;
            /** @description The casino whose sandbox it is. */
            sandbox_of: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        CasinoPage: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Casino"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example YWNtZQ
             */
            next_cursor?: string;
        };
        CasinoResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Casino"];
        };
        CatalogueBox: {
            /** @description Its id. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description What players are told of it, or for people to know it by. */
            description: string | null;
            /** @description Where a picture of it is. */
            image: string | null;
            /** @description The box’s version. */
            version: number;
            /** @description The SHA-256 of the odds table. */
            odds_hash: string;
            /**
             * @description Who may open the box: players with a grant, or everybody within the limit.
             * @enum {string}
             */
            access: "granted" | "limited";
            /** @description How often a player may open the box, when its access is `limited`. */
            limit: components["schemas"]["OpeningLimit"] | null;
            /**
             * Format: date-time
             * @description Until when the box can be opened; without it for ever.
             */
            active_until: string | null;
            /** @description What can be won, or was. */
            prizes: components["schemas"]["WinnablePrize"][];
            /** @description What is given when an entry is out of stock. */
            fallback: components["schemas"]["FallbackPrize"] | null;
            /** @description What the player may open. */
            player?: components["schemas"]["OpeningsLeft"];
        };
        CatalogueBoxPage: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["CatalogueBox"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example ZGFpbHk
             */
            next_cursor?: string;
        };
        CatalogueBoxResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["CatalogueBox"];
        };
        CheckHealthResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "ok";
        };
        CheckReadinessResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "ok";
            /**
             * @description Whether the database answers.
             * @enum {string}
             */
            database: "ok" | "unavailable";
            /**
             * @description Whether the queues can be reached.
             * @enum {string}
             */
            queue: "ok" | "unavailable";
            /**
             * @description Whether the clock of the process’s machine agrees with the database’s.
             * @enum {string}
             */
            clock: "ok" | "off" | "unknown";
            /**
             * @description The same in a sentence, for people.
             * @example The database lacks migrations that this version needs: run npm run migrate
             */
            message?: string;
        };
        CheckReadinessServiceUnavailableResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description Whether the database answers.
             * @enum {string}
             */
            database: "ok" | "unavailable";
            /**
             * @description Whether the queues can be reached.
             * @enum {string}
             */
            queue: "ok" | "unavailable";
            /**
             * @description Whether the clock of the process’s machine agrees with the database’s.
             * @enum {string}
             */
            clock: "ok" | "off" | "unknown";
            /**
             * @description The same in a sentence, for people.
             * @example The database lacks migrations that this version needs: run npm run migrate
             */
            message?: string;
        };
        ClientSeed: {
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /** @description What the player has mixed into the draws. */
            client_seed: string | null;
            /**
             * @description From which seed on the client seed applies.
             * @enum {string}
             */
            applies_from: "active" | "next";
            /** @description What is mixed in under the seed in use. */
            in_force: components["schemas"]["ClientSeedInForce"] | null;
        };
        ClientSeedInForce: {
            /**
             * @description The server seed.
             * @example sed_01b977d7aa0076a1b2c3d4e5f6071806
             */
            seed_id: string;
            /** @description What the player has mixed into the draws. */
            client_seed: string | null;
        };
        ClientSeedResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["ClientSeed"];
        };
        ConfirmOrderRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
        };
        CorrectOrderDeliveryRequest: {
            /** @description Who gets the parcel. */
            recipient_name: string;
            /** @description Street and number. */
            street: string;
            /** @description City. */
            city: string;
            /** @description Where it stands. */
            state?: string | null;
            /** @description Postal code. */
            postal_code: string;
            /** @description Country. */
            country: string;
            /** @description Telephone number. */
            phone_number?: string | null;
            /**
             * Format: email
             * @description E-mail address.
             */
            email?: string | null;
            /** @description Notes for the delivery. */
            additional_notes?: string | null;
            /** @description Why, for the history. */
            reason?: string | null;
        };
        CreateApiKeyRequest: {
            /** @description Its name. */
            name?: string | null;
            /**
             * @description Whether the key is for the casino or for its sandbox.
             * @enum {string|null}
             */
            mode?: "live" | "test" | null;
            /**
             * @description What the key may do.
             * @default [
             *       "play"
             *     ]
             */
            scopes?: ("play" | "manage")[] | null;
            /**
             * @description Whether the three operations need an `Idempotency-Key` with this key.
             * @default false
             */
            require_idempotency_key?: boolean | null;
            /** @description Until when it can be used. */
            expires_at?: string | null;
            /** @description Addresses and networks that the key may be used from; none for all. */
            allowed_addresses?: string[] | null;
        };
        CreateGrantsRequest: {
            /** @description The grants. */
            grants: components["schemas"]["CreateGrantsRequestGrant"][];
        };
        CreateGrantsRequestGrant: {
            /** @description The player, in the caller’s own words. */
            player_id: string | number;
            /** @description The box. */
            box_id: string | number;
            /** @description How many openings. */
            count: number;
            /** @description The grant; the caller’s own makes it safe to repeat. */
            grant_id?: string | number | null;
            /** @description Until when it can be used. */
            expires_at?: string | null;
        };
        CreditCall: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "cashback.credit";
            /**
             * @description The movement of money.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            transaction_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /** @description The prize. */
            prize_id: string;
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /** @description Which of the calls. */
            attempt: number;
        };
        CreditDeclinedAnswer: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "declined";
            /**
             * @description What it is about, for programs.
             * @enum {string}
             */
            code: "player_unknown" | "player_blocked" | "account_closed" | "currency_unsupported" | "limit_exceeded";
        };
        CreditedAnswer: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "credited";
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor?: number | string;
            /** @description ISO 4217. */
            currency?: string;
            /** @description The partner’s own name for it, for people to find it by. */
            reference?: string | null;
        };
        DebitCall: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "cashback.debit";
            /**
             * @description The movement of money.
             * @example debit_1_cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            transaction_id: string;
            /**
             * @description The cashback.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            cashback_id: string;
            /** @description The prize. */
            prize_id: string;
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /**
             * @description The transaction that has credited it.
             * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
             */
            credit_transaction_id: string;
            /** @description Which of the calls. */
            attempt: number;
        };
        DebitDeclinedAnswer: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "declined";
            /**
             * @description What it is about, for programs.
             * @enum {string}
             */
            code: "player_unknown" | "player_blocked" | "account_closed" | "insufficient_funds" | "credit_unknown";
        };
        DebitedAnswer: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "debited";
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor?: number | string;
            /** @description ISO 4217. */
            currency?: string;
            /** @description The partner’s own name for it, for people to find it by. */
            reference?: string | null;
        };
        DeletedWebhookEndpoint: {
            /** @description The webhook endpoint. */
            endpoint_id: string;
            /** @description That it is gone. */
            deleted: boolean;
        };
        DeletedWebhookEndpointResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["DeletedWebhookEndpoint"];
        };
        DeliverOrderRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
        };
        DeliveryDetails: {
            /** @description Who gets the parcel. */
            recipient_name: string;
            /** @description Street and number. */
            street: string;
            /** @description City. */
            city: string;
            /** @description Postal code. */
            postal_code: string;
            /** @description Country. */
            country: string;
            /** @description Where it stands. */
            state?: string;
            /** @description Telephone number. */
            phone_number?: string;
            /** @description E-mail address. */
            email?: string;
            /** @description Notes for the delivery. */
            additional_notes?: string;
        };
        DisableWebhookEndpointRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
        };
        DraftSimulation: {
            /** @description Its name. */
            name: string;
            /** @description What players are told of it, or for people to know it by. */
            description?: string | null;
            /**
             * Format: uri
             * @description Where a picture of it is.
             */
            image_url?: string | null;
            /**
             * @description Who may open the box: players with a grant, or everybody within the limit.
             * @enum {string}
             */
            access: "granted" | "limited";
            /** @description How often a player may open the box, when its access is `limited`. */
            limit?: components["schemas"]["DraftSimulationLimit"] | null;
            /** @description From when on the box can be opened; without it at once. */
            active_from?: string | null;
            /** @description Until when the box can be opened; without it for ever. */
            active_until?: string | null;
            /** @description What can be drawn. */
            entries: components["schemas"]["DraftSimulationEntry"][];
            /** @description The item that is given when an entry is out of stock. */
            fallback_item_id?: string | number | null;
            /** @description Publishes only if this is the current version; 0 only if there is no such box. */
            expected_version?: number | null;
            /**
             * @description How often it is drawn.
             * @default 10000
             */
            draws?: number | null;
            /** @description How often the box is expected to be opened. */
            openings_per_day?: number | null;
        };
        DraftSimulationEntry: {
            /** @description The item. */
            item_id: string | number;
            /** @description How probable the entry is, beside the weights of the others. */
            weight: number;
            /** @description The most that can be won of it since it was last given out; without it as many as it takes. What is published later goes on with what is left. */
            stock?: number | null;
            /** @description Whether to give out the whole stock again, whatever is left of it in the version before. Takes `expected_version`. */
            restock?: boolean | null;
        };
        DraftSimulationLimit: {
            /** @description How many openings. */
            count: number;
            /**
             * @description After which openings are counted anew.
             * @enum {string}
             */
            period: "day" | "week" | "lifetime";
            /** @description In whose time days and weeks begin: a name of the IANA database. */
            time_zone?: string | null;
        };
        EnableWebhookEndpointRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
        };
        ErasePlayerRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
        };
        Erasure: {
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /** @description Orders whose delivery details were erased. */
            erased_orders: number;
            /** @description Orders that are erased when they are finished. */
            waiting_order_ids: string[];
        };
        ErasureResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Erasure"];
        };
        Error: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /** @description The same in a sentence, for people. */
            message: string;
        };
        Event: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /** @description What has happened, or to what sort of thing. */
            type: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["EventObject"];
            /** @description Counts what happens to one object, or the openings of one player, from 1. */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: {
                [key: string]: unknown;
            };
        };
        EventFeed: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Event"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example NTY3ODkuMTIzNA
             */
            next_cursor: string;
            /** @description Whether asking again at once makes sense. */
            has_more: boolean;
        };
        EventMoney: {
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
        };
        EventObject: {
            /** @description What has happened, or to what sort of thing. */
            type: string;
            /** @description Its id. */
            id: string;
        };
        EventResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Event"];
        };
        ExpectedCost: {
            /** @description ISO 4217. */
            currency: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: string;
        };
        ExpiryChangedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "expiry.changed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["ExpiryEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["ExpiryChangedEventData"];
        };
        ExpiryChangedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string|null}
             */
            from: "active" | "paused" | null;
            /**
             * @description The state after it.
             * @constant
             */
            to: "active";
        };
        ExpiryEventObject: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "setting";
            /**
             * @description Its id.
             * @constant
             */
            id: "expiry";
        };
        ExpirySetting: {
            /** @description How many days before its last one a prize is warned about; 0 for none. */
            warn_days: number;
            /** @description A signing secret; in answers shown this once. */
            secret?: string | null;
            /** @description Makes a new secret. */
            new_secret?: boolean | null;
            /** @description For how long the old one lives on. */
            overlap_seconds?: number | null;
        };
        ExportPlayerRequest: {
            /** @description The `next_cursor` of the answer before. */
            cursor?: string;
        };
        FallbackPrize: {
            /** @description Its id. */
            id: string;
            /** @description Its name. */
            name: string;
            /**
             * @description What sort it is.
             * @enum {string}
             */
            kind: "physical" | "cash" | "bonus" | "none";
            /** @description What players are told of it, or for people to know it by. */
            description: string | null;
            /** @description Where a picture of it is. */
            image: string | null;
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback: components["schemas"]["Money"] | null;
            /** @description How many days the player has to claim the prize; without it for ever. */
            claim_days: number | null;
            /** @description The probability. */
            odds: components["schemas"]["Odds"];
        };
        FulfilmentChangedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "fulfilment.changed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["FulfilmentEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["FulfilmentChangedEventData"];
        };
        FulfilmentChangedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string|null}
             */
            from: "active" | "paused" | null;
            /**
             * @description The state after it.
             * @constant
             */
            to: "active";
        };
        FulfilmentEventObject: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "setting";
            /**
             * @description Its id.
             * @constant
             */
            id: "fulfilment";
        };
        FulfilmentPausedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "fulfilment.paused";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["FulfilmentEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["FulfilmentPausedEventData"];
        };
        FulfilmentPausedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "active";
            /**
             * @description The state after it.
             * @constant
             */
            to: "paused";
            /**
             * @description Why, for the history.
             * @example status_401
             */
            reason: string;
        };
        FulfilmentResumedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "fulfilment.resumed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["FulfilmentEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["FulfilmentResumedEventData"];
        };
        FulfilmentResumedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "paused";
            /**
             * @description The state after it.
             * @constant
             */
            to: "active";
        };
        FulfilmentSetting: components["schemas"]["FulfilmentSettingManual"] | components["schemas"]["FulfilmentSettingHttp"];
        FulfilmentSettingHttp: {
            /**
             * @description What sort it is.
             * @constant
             */
            kind: "http";
            /**
             * Format: uri
             * @description Where it is called, over `https`.
             */
            url: string;
            /**
             * @description How long to wait for the partner’s answer.
             * @default 5000
             */
            timeout_ms?: number;
            /**
             * @description How often the provider is asked for news.
             * @default 60
             */
            poll_minutes?: number;
            /** @description A signing secret; in answers shown this once. */
            secret?: string | null;
            /** @description Makes a new secret. */
            new_secret?: boolean | null;
            /** @description For how long the old one lives on. */
            overlap_seconds?: number | null;
        };
        FulfilmentSettingManual: {
            /**
             * @description What sort it is.
             * @constant
             */
            kind: "manual";
            /** @description A signing secret; in answers shown this once. */
            secret?: string | null;
            /** @description Makes a new secret. */
            new_secret?: boolean | null;
            /** @description For how long the old one lives on. */
            overlap_seconds?: number | null;
        };
        GivePrizeRequest: {
            /** @description The player, in the caller’s own words. */
            player_id: string | number;
            /** @description The item. */
            item_id: string | number;
            /** @description The prize. */
            prize_id?: string | number | null;
        };
        Grant: {
            /** @description The grant; the caller’s own makes it safe to repeat. */
            grant_id: string;
            /** @description The box. */
            box_id: string;
            /** @description How many openings. */
            count: number;
            /** @description How many of them were used. */
            used: number;
            /**
             * Format: date-time
             * @description Until when it can be used.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description The player, in the caller’s own words. */
            player_id: string;
        };
        GrantListResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Grant"][];
        };
        GrantPage: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Grant"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example d2VsY29tZS1wbGF5ZXItNDI
             */
            next_cursor?: string;
        };
        HistoryEntry: {
            /** @description What has happened, or to what sort of thing. */
            type: string;
            /** @description What sort of thing it is about. */
            object_type: string;
            /** @description What it is about. */
            object_id: string;
            /** @description Counts what happens to one object, or the openings of one player, from 1. */
            sequence: number;
            /** @description Where it began: the state before, or a time. */
            from: string | null;
            /** @description The state after it. */
            to: string;
            /** @description Who did it: a key, the admin, or a worker. */
            actor: string;
            /** @description Why, for the history. */
            reason: string | null;
            /** @description The request that did it. */
            request_id: string | null;
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
        };
        HoldOrderRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
            /**
             * @description Why the order is held.
             * @enum {string}
             */
            hold_reason: "incorrect_address" | "fraud_risk" | "kyc_pending" | "player_restricted" | "out_of_stock" | "customs" | "other";
        };
        InvalidParameters: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /** @description The same in a sentence, for people. */
            message: string;
            /** @description What is wrong with each parameter, by its name. */
            errors?: {
                [key: string]: components["schemas"]["ParameterError"][];
            };
        };
        Item: {
            /** @description The item. */
            item_id: string;
            /** @description Its name. */
            name: string;
            /**
             * @description What sort it is.
             * @enum {string}
             */
            kind: "physical" | "cash" | "bonus" | "none";
            /** @description What players are told of it, or for people to know it by. */
            description: string | null;
            /** @description Where a picture of it is. */
            image_url: string | null;
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback: components["schemas"]["Money"] | null;
            /** @description How many days the player has to claim the prize; without it for ever. */
            claim_days: number | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        ItemPage: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Item"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example bXVn
             */
            next_cursor?: string;
        };
        ItemResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Item"];
        };
        LimitsChangedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "limits.changed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["LimitsEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["LimitsChangedEventData"];
        };
        LimitsChangedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string|null}
             */
            from: "active" | "paused" | null;
            /**
             * @description The state after it.
             * @constant
             */
            to: "active";
        };
        LimitsEventObject: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "setting";
            /**
             * @description Its id.
             * @constant
             */
            id: "limits";
        };
        LimitsSetting: {
            /** @description The limit of `POST /box/open`. */
            box_open?: components["schemas"]["LimitsSettingBoxOpen"] | null;
            /** @description The limit of `POST /prize/order`. */
            prize_order?: components["schemas"]["LimitsSettingPrizeOrder"] | null;
            /** @description The limit of `POST /prize/cashback`. */
            prize_cashback?: components["schemas"]["LimitsSettingPrizeCashback"] | null;
            /** @description The limit of all other calls with `play` keys. */
            reads?: components["schemas"]["LimitsSettingReads"] | null;
            /** @description The limit of the management API. */
            management?: components["schemas"]["LimitsSettingManagement"] | null;
            /** @description A signing secret; in answers shown this once. */
            secret?: string | null;
            /** @description Makes a new secret. */
            new_secret?: boolean | null;
            /** @description For how long the old one lives on. */
            overlap_seconds?: number | null;
        };
        LimitsSettingBoxOpen: {
            /** @description Requests a second in the long run. */
            per_second: number;
            /** @description How many requests at once after a pause. */
            burst: number;
        };
        LimitsSettingManagement: {
            /** @description Requests a second in the long run. */
            per_second: number;
            /** @description How many requests at once after a pause. */
            burst: number;
        };
        LimitsSettingPrizeCashback: {
            /** @description Requests a second in the long run. */
            per_second: number;
            /** @description How many requests at once after a pause. */
            burst: number;
        };
        LimitsSettingPrizeOrder: {
            /** @description Requests a second in the long run. */
            per_second: number;
            /** @description How many requests at once after a pause. */
            burst: number;
        };
        LimitsSettingReads: {
            /** @description Requests a second in the long run. */
            per_second: number;
            /** @description How many requests at once after a pause. */
            burst: number;
        };
        Money: {
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
        };
        NewApiKey: {
            /** @description The key’s id, which is no secret. */
            key_id: string;
            /** @description Its name. */
            name: string | null;
            /**
             * @description Whether the key is for the casino or for its sandbox.
             * @enum {string}
             */
            mode: "live" | "test";
            /** @description What the key may do. */
            scopes: ("play" | "manage")[];
            /** @description Whether the three operations need an `Idempotency-Key` with this key. */
            require_idempotency_key: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Until when it can be used.
             */
            expires_at: string | null;
            /** @description Addresses and networks that the key may be used from; none for all. */
            allowed_addresses: string[];
            /** @description Which key made the key, or `admin`; null when it is older than this field. */
            created_by: string | null;
            /** @description Which key it replaced. */
            rotated_from: string | null;
            /** @description Who replaced that key: `admin`, or the id of a key. */
            rotated_by: string | null;
            /** @description The key itself, shown this once. */
            api_key: string;
        };
        NewApiKeyResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["NewApiKey"];
        };
        NewWebhookSecret: {
            /** @description The webhook endpoint. */
            endpoint_id: string;
            /** @description A signing secret; in answers shown this once. */
            secret: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Until when the others are used too.
             */
            others_expire_at: string;
        };
        NewWebhookSecretResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["NewWebhookSecret"];
        };
        NewsAnswer: {
            /**
             * @description How it ended.
             * @enum {string}
             */
            status: "processing" | "shipped" | "delivered" | "exception" | "cancelled" | "cancel_refused";
            /** @description Why, for the history. */
            reason?: string | null;
            /** @description Who carries the parcel. */
            carrier?: string | null;
            /** @description The carrier’s number of the parcel. */
            tracking_number?: string | null;
            /**
             * Format: date-time
             * @description When it happened, by the provider’s clock.
             */
            occurred_at: string;
        };
        NoNewsAnswer: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "accepted";
        };
        Odds: {
            /** @description Of the probability. */
            numerator: number;
            /** @description Of the probability. */
            denominator: number;
            /** @description The same in percent. */
            percentage: number;
        };
        OpenBoxBadRequestError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Missing or invalid player_id or box_id";
        };
        OpenBoxInternalServerError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "An error occurred while opening the box.";
        };
        OpenBoxNotFoundError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Box not found or unavailable";
        };
        OpenBoxPayloadTooLargeError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Request body too large";
        };
        OpenBoxRequest: {
            /** @description The player, in the caller’s own words. */
            player_id: string | number;
            /** @description The box. */
            box_id: string | number;
        };
        OpenBoxServiceUnavailableError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "The service is overloaded, try again later";
        };
        OpenBoxTooManyRequestsError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @enum {string}
             */
            message: "Too many attempts with invalid API keys, try again later" | "Too many requests, try again later";
        };
        OpenBoxUnauthorizedError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Invalid or missing API key";
        };
        OpenBoxUnprocessableEntityError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "This Idempotency-Key was used for a different request";
        };
        OpenedBox: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Box opened successfully";
            /** @description The prize that was won. */
            prize: components["schemas"]["WonPrize"];
            /** @description The opening, with what is needed to check its draw. */
            opening: components["schemas"]["Opening"];
        };
        Opening: {
            /**
             * @description Its id.
             * @example opn_01b977d7aa0076a1b2c3d4e5f6071801
             */
            id: string;
            /** @description The box. */
            box_id: string;
            /** @description The box’s version that was opened. */
            box_version: number;
            /** @description The SHA-256 of the odds table. */
            odds_hash: string;
            /** @description The server seed. */
            seed_id: string;
            /** @description The SHA-256 of the seed, published before its use. */
            seed_commitment: string;
            /** @description Counts the player’s openings under the seed, from 1. */
            nonce: number;
            /** @description What the player has mixed into the draws. */
            client_seed?: string;
            /** @description The item that was drawn and is out of stock. */
            substituted_for?: string;
            /** @description That a test key has chosen the outcome. */
            forced?: boolean;
        };
        OpeningEvidence: {
            /**
             * @description How the outcome was derived; `null` in openings from before draws were verifiable.
             * @constant
             */
            scheme: "hmac-sha256-v1";
            /**
             * @description Its id.
             * @example opn_01b977d7aa0076a1b2c3d4e5f6071801
             */
            id: string;
            /** @description The casino. */
            casino_id: string;
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /** @description Counts what happens to one object, or the openings of one player, from 1. */
            sequence: number;
            /** @description The box. */
            box_id: string;
            /** @description The box’s version that was opened. */
            box_version: number;
            /** @description The canonical odds table, whose SHA-256 is the hash. */
            odds_table: string;
            /** @description The SHA-256 of the odds table. */
            odds_hash: string;
            /**
             * @description The server seed.
             * @example sed_01b977d7aa0076a1b2c3d4e5f6071806
             */
            seed_id: string | null;
            /** @description The SHA-256 of the seed, published before its use. */
            seed_commitment: string | null;
            /** @description 32 bytes in hexadecimal; null until the seed is revealed. */
            seed: string | null;
            /** @description Counts the player’s openings under the seed, from 1. */
            nonce: number | null;
            /** @description What the player has mixed into the draws. */
            client_seed: string | null;
            /** @description The entry’s place in the odds table, from 1. */
            position: number;
            /** @description The item. */
            item_id: string;
            /** @description The item that was drawn and is out of stock. */
            substituted_for: string | null;
            /** @description That a test key has chosen the outcome. */
            forced: boolean;
            /** @description The prize. */
            prize_id: string;
            /**
             * Format: date-time
             * @description When the box was opened.
             */
            opened_at: string;
            /** @description The public key, in hexadecimal. */
            signing_key: string;
            /** @description A digest of each field. */
            digests: {
                [key: string]: string;
            };
            /** @description Ed25519, over the canonical JSON of the digests, in hexadecimal. */
            signature: string;
        };
        OpeningEvidencePage: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["OpeningEvidence"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example c2VkXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA2IG9wbl8wMWI5NzdkN2FhMDA3NmExYjJjM2Q0ZTVmNjA3MTgwMSA3
             */
            next_cursor?: string;
        };
        OpeningEvidenceResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["OpeningEvidence"];
        };
        OpeningLimit: {
            /** @description How many openings. */
            count: number;
            /**
             * @description After which openings are counted anew.
             * @enum {string}
             */
            period: "day" | "week" | "lifetime";
            /** @description In whose time days and weeks begin: a name of the IANA database. */
            time_zone: string;
        };
        OpeningsLeft: {
            /** @description Whether the player may open the box now. */
            can_open: boolean;
            /** @description How often the player may open the box now. */
            openings_left: number;
            /**
             * Format: date-time
             * @description When the player’s limit begins anew.
             */
            resets_at: string | null;
            /**
             * Format: date-time
             * @description Until when it can be used.
             */
            expires_at: string | null;
        };
        Order: {
            /** @description The order. */
            order_id: string;
            /** @description The prize. */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description The item’s name when it was won. */
            item_name: string;
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /**
             * @description Who sends it.
             * @enum {string|null}
             */
            provider: "manual" | "http" | null;
            /** @description Who carries the parcel. */
            carrier: string | null;
            /** @description The carrier’s number of the parcel. */
            tracking_number: string | null;
            /** @description Counts the order’s parcels, from 1. */
            shipment_number: number;
            /**
             * @description Why the parcel has not arrived.
             * @enum {string|null}
             */
            exception_reason: "provider_rejected" | "address_invalid" | "delivery_failed" | "returned" | "lost" | "damaged" | null;
            /** @description Why the order is held at present. */
            holds: ("incorrect_address" | "fraud_risk" | "kyc_pending" | "player_restricted" | "out_of_stock" | "customs" | "other")[];
            /** @description How often it was brought up again. */
            reminders_sent: number;
            /** @description What is wrong, as a code. */
            problem: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it was over; null while it goes on.
             */
            ended_at: string | null;
        };
        OrderDetails: {
            /** @description The order. */
            order_id: string;
            /** @description The prize. */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description The item’s name when it was won. */
            item_name: string;
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /**
             * @description Who sends it.
             * @enum {string|null}
             */
            provider: "manual" | "http" | null;
            /** @description Who carries the parcel. */
            carrier: string | null;
            /** @description The carrier’s number of the parcel. */
            tracking_number: string | null;
            /** @description Counts the order’s parcels, from 1. */
            shipment_number: number;
            /**
             * @description Why the parcel has not arrived.
             * @enum {string|null}
             */
            exception_reason: "provider_rejected" | "address_invalid" | "delivery_failed" | "returned" | "lost" | "damaged" | null;
            /** @description Why the order is held at present. */
            holds: ("incorrect_address" | "fraud_risk" | "kyc_pending" | "player_restricted" | "out_of_stock" | "customs" | "other")[];
            /** @description How often it was brought up again. */
            reminders_sent: number;
            /** @description What is wrong, as a code. */
            problem: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it was over; null while it goes on.
             */
            ended_at: string | null;
            /** @description The delivery details; null once they are erased. */
            delivery: components["schemas"]["DeliveryDetails"] | null;
            /** @description All that happened to it, the oldest first. */
            history: components["schemas"]["HistoryEntry"][];
        };
        OrderDetailsResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["OrderDetails"];
        };
        OrderPage: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Order"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example b3JkXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODAz
             */
            next_cursor?: string;
        };
        OrderPrizeBadRequestError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "The given data was invalid.";
            /** @description What is wrong with each parameter, by its name. */
            errors?: {
                [key: string]: components["schemas"]["ParameterError"][];
            };
        };
        OrderPrizeForbiddenError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Player does not have the specified prize in inventory";
        };
        OrderPrizeInternalServerError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "An error occurred while recording the prize order.";
        };
        OrderPrizeNotFoundError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Prize not found or unavailable for order";
        };
        OrderPrizePayloadTooLargeError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Request body too large";
        };
        OrderPrizeRequest: {
            /** @description The player, in the caller’s own words. */
            player_id: string | number;
            /** @description The prize. */
            prize_id: string | number;
            /** @description Who gets the parcel. */
            recipient_name: string;
            /** @description Street and number. */
            street: string;
            /** @description City. */
            city: string;
            /** @description Where it stands. */
            state?: string | null;
            /** @description Postal code. */
            postal_code: string;
            /** @description Country. */
            country: string;
            /** @description Telephone number. */
            phone_number?: string | null;
            /**
             * Format: email
             * @description E-mail address.
             */
            email?: string | null;
            /** @description Notes for the delivery. */
            additional_notes?: string | null;
        };
        OrderPrizeServiceUnavailableError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "The service is overloaded, try again later";
        };
        OrderPrizeTooManyRequestsError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @enum {string}
             */
            message: "Too many attempts with invalid API keys, try again later" | "Too many requests, try again later";
        };
        OrderPrizeUnauthorizedError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Invalid or missing API key";
        };
        OrderPrizeUnprocessableEntityError: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "This Idempotency-Key was used for a different request";
        };
        OrderResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Order"];
        };
        ParameterError: {
            /** @description The rule that it breaks. */
            error: string;
            /** @description The same in a sentence, for people. */
            message: string;
        };
        PingCall: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "ping";
        };
        PlayerBalance: {
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /** @description What was credited, by currency. */
            balances: components["schemas"]["Balance"][];
        };
        PlayerBalanceResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["PlayerBalance"];
        };
        PlayerExport: {
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /** @description Whether this is all of it. */
            complete: boolean;
            /**
             * Format: date-time
             * @description When the player was first heard of.
             */
            first_seen_at: string | null;
            /**
             * Format: date-time
             * @description When the player’s data were to be erased.
             */
            erase_requested_at: string | null;
            /**
             * Format: date-time
             * @description When the player’s data were erased.
             */
            erased_at: string | null;
            /** @description What the player has mixed into the draws. */
            client_seed: string | null;
            /** @description What is mixed in under the seed in use. */
            client_seed_in_use: string | null;
            /** @description What was credited, by currency. */
            balances: components["schemas"]["Balance"][];
            /** @description The grants. */
            grants: components["schemas"]["PlayerExportGrant"][];
            /** @description The openings. */
            openings: components["schemas"]["PlayerExportOpening"][];
            /** @description What can be won, or was. */
            prizes: components["schemas"]["PlayerExportPrize"][];
            /** @description The orders, the oldest first. */
            orders: components["schemas"]["PlayerExportOrder"][];
            /** @description What providers told of these orders. */
            news: components["schemas"]["ShipmentNews"][];
            /** @description The cashbacks, the oldest first. */
            cashbacks: components["schemas"]["PlayerExportCashback"][];
            /** @description What wallets have said of it, the oldest first. Kept for ever. */
            wallet_answers: components["schemas"]["PlayerExportWalletAnswer"][];
            /** @description The player’s side of all movements of these cashbacks. */
            ledger_entries: components["schemas"]["PlayerExportLedgerEntry"][];
            /** @description All that happened to it, the oldest first. */
            history: components["schemas"]["HistoryEntry"][];
            /** @description Where the next page begins. Absent on the last one, but for feeds. */
            next_cursor?: string;
        };
        PlayerExportCashback: {
            /** @description The cashback. */
            cashback_id: string;
            /** @description The prize. */
            prize_id: string;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "requested" | "processing" | "credited" | "declined" | "unknown" | "manual_review" | "reversing" | "reversal_unknown" | "reversal_review" | "reversed";
            /** @description The wallet’s own name for it. */
            wallet_reference: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        PlayerExportGrant: {
            /** @description The grant; the caller’s own makes it safe to repeat. */
            grant_id: string;
            /** @description The box. */
            box_id: string;
            /** @description How many openings. */
            count: number;
            /** @description How many of them were used. */
            used: number;
            /**
             * Format: date-time
             * @description Until when it can be used.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        PlayerExportLedgerEntry: {
            /** @description The movement of money. */
            transaction_id: string;
            /**
             * @description What sort it is.
             * @enum {string}
             */
            kind: "cashback_reserve" | "cashback_credit" | "cashback_void" | "cashback_reversal";
            /** @description The cashback. */
            cashback_id: string;
            /**
             * @description What the player has got, or is promised.
             * @enum {string}
             */
            account: "player_pending" | "player_wallet";
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number | string;
            /** @description ISO 4217. */
            currency: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        PlayerExportOpening: {
            /** @description The opening that the prize was won by. */
            opening_id: string;
            /** @description The box. */
            box_id: string;
            /** @description The box’s version that was opened. */
            box_version: number;
            /** @description The item. */
            item_id: string;
            /** @description The prize. */
            prize_id: string;
            /** @description The grant; the caller’s own makes it safe to repeat. */
            grant_id: string | null;
            /** @description What the player has mixed into the draws. */
            client_seed: string | null;
            /**
             * Format: date-time
             * @description When the box was opened.
             */
            opened_at: string;
        };
        PlayerExportOrder: {
            /** @description The order. */
            order_id: string;
            /** @description The prize. */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description The item’s name when it was won. */
            item_name: string;
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /**
             * @description Who sends it.
             * @enum {string|null}
             */
            provider: "manual" | "http" | null;
            /** @description Who carries the parcel. */
            carrier: string | null;
            /** @description The carrier’s number of the parcel. */
            tracking_number: string | null;
            /** @description Counts the order’s parcels, from 1. */
            shipment_number: number;
            /**
             * @description Why the parcel has not arrived.
             * @enum {string|null}
             */
            exception_reason: "provider_rejected" | "address_invalid" | "delivery_failed" | "returned" | "lost" | "damaged" | null;
            /** @description Why the order is held at present. */
            holds: ("incorrect_address" | "fraud_risk" | "kyc_pending" | "player_restricted" | "out_of_stock" | "customs" | "other")[];
            /** @description How often it was brought up again. */
            reminders_sent: number;
            /** @description What is wrong, as a code. */
            problem: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it was over; null while it goes on.
             */
            ended_at: string | null;
            /** @description The delivery details; null once they are erased. */
            delivery: components["schemas"]["DeliveryDetails"] | null;
            /** @description The provider’s own name for the parcel. */
            provider_reference: string | null;
        };
        PlayerExportPrize: {
            /** @description The prize. */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description The item’s name when it was won. */
            item_name: string;
            /**
             * @description What sort it is.
             * @enum {string}
             */
            kind: "physical" | "cash" | "bonus" | "none";
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "won" | "ordered" | "fulfilled" | "cashback_pending" | "cashed_back" | "expired" | "voided";
            /**
             * Format: date-time
             * @description Until when it can be used.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        PlayerExportResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["PlayerExport"];
        };
        PlayerExportWalletAnswer: {
            /** @description The cashback. */
            cashback_id: string;
            /**
             * @description What the wallet was asked to do.
             * @enum {string}
             */
            operation: "credit" | "debit";
            /** @description The movement of money. */
            transaction_id: string;
            /** @description Which wallet: the same text means the same URL. */
            wallet_id: string;
            /** @description Which of the calls. */
            attempt: number;
            /**
             * @description What came of it.
             * @enum {string}
             */
            outcome: "credited" | "debited" | "already_processed" | "declined";
            /** @description Why the wallet refused. */
            decline_code: string | null;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: (number | string) | null;
            /** @description ISO 4217. */
            currency: string | null;
            /** @description The wallet’s own name for it. */
            wallet_reference: string | null;
            /** @description Whether something else was on record when it came. */
            contradicts: boolean;
            /**
             * Format: date-time
             * @description When it was told.
             */
            received_at: string;
        };
        PrivacyChangedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "privacy.changed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrivacyEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrivacyChangedEventData"];
        };
        PrivacyChangedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string|null}
             */
            from: "active" | "paused" | null;
            /**
             * @description The state after it.
             * @constant
             */
            to: "active";
        };
        PrivacyEventObject: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "setting";
            /**
             * @description Its id.
             * @constant
             */
            id: "privacy";
        };
        PrivacySetting: {
            /** @description Days after an order’s end for which its delivery details are kept. */
            delivery_retention_days: number;
            /** @description A signing secret; in answers shown this once. */
            secret?: string | null;
            /** @description Makes a new secret. */
            new_secret?: boolean | null;
            /** @description For how long the old one lives on. */
            overlap_seconds?: number | null;
        };
        Prize: {
            /** @description The prize. */
            prize_id: string;
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /** @description The item. */
            item_id: string;
            /** @description Its name. */
            name: string;
            /**
             * @description What sort it is.
             * @enum {string}
             */
            kind: "physical" | "cash" | "bonus" | "none";
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback: components["schemas"]["Money"] | null;
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "won" | "ordered" | "fulfilled" | "cashback_pending" | "cashed_back" | "expired" | "voided";
            /** @description The opening that the prize was won by. */
            opening_id: string | null;
            /**
             * Format: date-time
             * @description Until when it can be used.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        PrizeCashbackPendingEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize.cashback_pending";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeCashbackPendingEventData"];
        };
        PrizeCashbackPendingEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "won";
            /**
             * @description The state after it.
             * @constant
             */
            to: "cashback_pending";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description What sort it is. */
            kind: string;
            /**
             * @description The opening that the prize was won by.
             * @example opn_01b977d7aa0076a1b2c3d4e5f6071801
             */
            opening_id: string | null;
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback: components["schemas"]["EventMoney"] | null;
        };
        PrizeCashedBackEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize.cashed_back";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeCashedBackEventData"];
        };
        PrizeCashedBackEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "cashback_pending";
            /**
             * @description The state after it.
             * @constant
             */
            to: "cashed_back";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description What sort it is. */
            kind: string;
            /**
             * @description The opening that the prize was won by.
             * @example opn_01b977d7aa0076a1b2c3d4e5f6071801
             */
            opening_id: string | null;
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback: components["schemas"]["EventMoney"] | null;
        };
        PrizeDetails: {
            /** @description The prize. */
            prize_id: string;
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /** @description The item. */
            item_id: string;
            /** @description Its name. */
            name: string;
            /**
             * @description What sort it is.
             * @enum {string}
             */
            kind: "physical" | "cash" | "bonus" | "none";
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback: components["schemas"]["Money"] | null;
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "won" | "ordered" | "fulfilled" | "cashback_pending" | "cashed_back" | "expired" | "voided";
            /** @description The opening that the prize was won by. */
            opening_id: string | null;
            /**
             * Format: date-time
             * @description Until when it can be used.
             */
            expires_at: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description The orders, the oldest first. */
            orders: components["schemas"]["Order"][];
            /** @description The cashbacks, the oldest first. */
            cashbacks: components["schemas"]["Cashback"][];
            /** @description All that happened to it, the oldest first. */
            history: components["schemas"]["HistoryEntry"][];
        };
        PrizeDetailsResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["PrizeDetails"];
        };
        PrizeEventObject: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "prize";
            /**
             * @description Its id.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            id: string;
        };
        PrizeExpiredEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize.expired";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeExpiredEventData"];
        };
        PrizeExpiredEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "won";
            /**
             * @description The state after it.
             * @constant
             */
            to: "expired";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description What sort it is. */
            kind: string;
            /**
             * @description The opening that the prize was won by.
             * @example opn_01b977d7aa0076a1b2c3d4e5f6071801
             */
            opening_id: string | null;
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback: components["schemas"]["EventMoney"] | null;
            /** @description Whether it can be won again. */
            stock_returned: boolean;
        };
        PrizeExpiringEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize.expiring";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeExpiringEventData"];
        };
        PrizeExpiringEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "won";
            /**
             * @description The state after it.
             * @constant
             */
            to: "won";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description What sort it is. */
            kind: string;
            /**
             * @description The opening that the prize was won by.
             * @example opn_01b977d7aa0076a1b2c3d4e5f6071801
             */
            opening_id: string | null;
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback: components["schemas"]["EventMoney"] | null;
            /**
             * Format: date-time
             * @description Until when it can be used.
             */
            expires_at: string;
        };
        PrizeFulfilledEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize.fulfilled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeFulfilledEventData"];
        };
        PrizeFulfilledEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "ordered";
            /**
             * @description The state after it.
             * @constant
             */
            to: "fulfilled";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description What sort it is. */
            kind: string;
            /**
             * @description The opening that the prize was won by.
             * @example opn_01b977d7aa0076a1b2c3d4e5f6071801
             */
            opening_id: string | null;
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback: components["schemas"]["EventMoney"] | null;
        };
        PrizeOrderAddressCorrectedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.address_corrected";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderAddressCorrectedEventData"];
        };
        PrizeOrderAddressCorrectedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /**
             * @description The state after it.
             * @enum {string}
             */
            to: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
        };
        PrizeOrderCancelRefusedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.cancel_refused";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderCancelRefusedEventData"];
        };
        PrizeOrderCancelRefusedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "cancel_requested";
            /**
             * @description The state after it.
             * @example submitted
             * @enum {string}
             */
            to: "cancelled" | "submitted" | "processing" | "exception";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
        };
        PrizeOrderCancelRequestedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.cancel_requested";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderCancelRequestedEventData"];
        };
        PrizeOrderCancelRequestedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "submitted" | "processing" | "exception";
            /**
             * @description The state after it.
             * @constant
             */
            to: "cancel_requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
        };
        PrizeOrderCancellationAttemptedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.cancellation_attempted";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderCancellationAttemptedEventData"];
        };
        PrizeOrderCancellationAttemptedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "cancel_requested";
            /**
             * @description The state after it.
             * @constant
             */
            to: "cancel_requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description Which of the calls. */
            attempt: number;
        };
        PrizeOrderCancellationPendingEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.cancellation_pending";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderCancellationPendingEventData"];
        };
        PrizeOrderCancellationPendingEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "cancel_requested";
            /**
             * @description The state after it.
             * @constant
             */
            to: "cancel_requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
        };
        PrizeOrderCancellationReminderEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.cancellation_reminder";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderCancellationReminderEventData"];
        };
        PrizeOrderCancellationReminderEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "cancel_requested";
            /**
             * @description The state after it.
             * @constant
             */
            to: "cancel_requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /**
             * @description What is wrong, as a code.
             * @example provider_changed
             */
            problem: string;
        };
        PrizeOrderCancellationUnknownEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.cancellation_unknown";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderCancellationUnknownEventData"];
        };
        PrizeOrderCancellationUnknownEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "cancel_requested";
            /**
             * @description The state after it.
             * @constant
             */
            to: "cancel_requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description Which of the calls. */
            attempt: number;
            /**
             * @description What is wrong, as a code.
             * @example timeout
             */
            problem: string;
        };
        PrizeOrderCancelledEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.cancelled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderCancelledEventData"];
        };
        PrizeOrderCancelledEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "pending_confirmation" | "confirmed" | "exception" | "cancel_requested";
            /**
             * @description The state after it.
             * @constant
             */
            to: "cancelled";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
        };
        PrizeOrderConfirmationReminderEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.confirmation_reminder";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderConfirmationReminderEventData"];
        };
        PrizeOrderConfirmationReminderEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "pending_confirmation";
            /**
             * @description The state after it.
             * @constant
             */
            to: "pending_confirmation";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description Which of the reminders. */
            reminder: number;
        };
        PrizeOrderConfirmationRequestedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.confirmation_requested";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderConfirmationRequestedEventData"];
        };
        PrizeOrderConfirmationRequestedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "pending_confirmation";
            /**
             * @description The state after it.
             * @constant
             */
            to: "pending_confirmation";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
        };
        PrizeOrderConfirmedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.confirmed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderConfirmedEventData"];
        };
        PrizeOrderConfirmedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "pending_confirmation" | "exception";
            /**
             * @description The state after it.
             * @constant
             */
            to: "confirmed";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description Counts the order’s parcels, from 1. */
            shipment_number?: number;
        };
        PrizeOrderDeliveredEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.delivered";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderDeliveredEventData"];
        };
        PrizeOrderDeliveredEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "shipped" | "exception";
            /**
             * @description The state after it.
             * @constant
             */
            to: "delivered";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
        };
        PrizeOrderDeliveryErasedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.delivery_erased";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderDeliveryErasedEventData"];
        };
        PrizeOrderDeliveryErasedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @example delivered
             * @enum {string}
             */
            from: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /**
             * @description The state after it.
             * @example delivered
             * @enum {string}
             */
            to: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
        };
        PrizeOrderEventObject: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "prize_order";
            /**
             * @description Its id.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            id: string;
        };
        PrizeOrderExceptionEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.exception";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderExceptionEventData"];
        };
        PrizeOrderExceptionEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "submitted" | "processing" | "shipped" | "cancel_requested";
            /**
             * @description The state after it.
             * @constant
             */
            to: "exception";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /**
             * @description Why the parcel has not arrived.
             * @enum {string}
             */
            exception_reason: "provider_rejected" | "address_invalid" | "delivery_failed" | "returned" | "lost" | "damaged";
            /**
             * @description Why the provider does not take the parcel.
             * @enum {string}
             */
            rejection?: "address_invalid" | "destination_unsupported" | "item_unknown" | "out_of_stock" | "rejected";
        };
        PrizeOrderHeldEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.held";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderHeldEventData"];
        };
        PrizeOrderHeldEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @example confirmed
             * @enum {string}
             */
            from: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /**
             * @description The state after it.
             * @example confirmed
             * @enum {string}
             */
            to: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /**
             * @description Why the order is held.
             * @example other
             * @enum {string}
             */
            hold_reason: "incorrect_address" | "fraud_risk" | "kyc_pending" | "player_restricted" | "out_of_stock" | "customs" | "other";
            /**
             * @description What is wrong, as a code.
             * @example timeout
             */
            problem?: string;
        };
        PrizeOrderNewsIgnoredEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.news_ignored";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderNewsIgnoredEventData"];
        };
        PrizeOrderNewsIgnoredEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @example cancelled
             * @enum {string}
             */
            from: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /**
             * @description The state after it.
             * @example cancelled
             * @enum {string}
             */
            to: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /**
             * @description How it ended.
             * @example shipped
             * @enum {string}
             */
            status: "processing" | "shipped" | "delivered" | "exception" | "cancelled" | "cancel_refused";
            /** @description Counts the order’s parcels, from 1. */
            shipment_number: number;
        };
        PrizeOrderPlacedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.placed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 1
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderPlacedEventData"];
        };
        PrizeOrderPlacedEventData: {
            /** @description Where it began: the state before, or a time. */
            from: null;
            /**
             * @description The state after it.
             * @constant
             */
            to: "pending_confirmation";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
        };
        PrizeOrderProcessingEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.processing";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderProcessingEventData"];
        };
        PrizeOrderProcessingEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "submitted" | "cancel_requested";
            /**
             * @description The state after it.
             * @constant
             */
            to: "processing";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
        };
        PrizeOrderRejectedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.rejected";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderRejectedEventData"];
        };
        PrizeOrderRejectedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "pending_confirmation";
            /**
             * @description The state after it.
             * @constant
             */
            to: "rejected";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
        };
        PrizeOrderReleasedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.released";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderReleasedEventData"];
        };
        PrizeOrderReleasedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @example confirmed
             * @enum {string}
             */
            from: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /**
             * @description The state after it.
             * @example confirmed
             * @enum {string}
             */
            to: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /**
             * @description Why the order is held.
             * @enum {string}
             */
            hold_reason: "incorrect_address" | "fraud_risk" | "kyc_pending" | "player_restricted" | "out_of_stock" | "customs" | "other";
        };
        PrizeOrderShipmentUpdatedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.shipment_updated";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderShipmentUpdatedEventData"];
        };
        PrizeOrderShipmentUpdatedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @example shipped
             * @enum {string}
             */
            from: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /**
             * @description The state after it.
             * @example shipped
             * @enum {string}
             */
            to: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /**
             * @description Why the parcel has not arrived.
             * @enum {string}
             */
            exception_reason?: "provider_rejected" | "address_invalid" | "delivery_failed" | "returned" | "lost" | "damaged";
        };
        PrizeOrderShippedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.shipped";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderShippedEventData"];
        };
        PrizeOrderShippedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "submitted" | "processing" | "exception";
            /**
             * @description The state after it.
             * @constant
             */
            to: "shipped";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
        };
        PrizeOrderSubmissionAcceptedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.submission_accepted";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderSubmissionAcceptedEventData"];
        };
        PrizeOrderSubmissionAcceptedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @example cancel_requested
             * @enum {string}
             */
            from: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /**
             * @description The state after it.
             * @example cancel_requested
             * @enum {string}
             */
            to: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
        };
        PrizeOrderSubmissionAttemptedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.submission_attempted";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderSubmissionAttemptedEventData"];
        };
        PrizeOrderSubmissionAttemptedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "confirmed";
            /**
             * @description The state after it.
             * @constant
             */
            to: "confirmed";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description Which of the calls. */
            attempt: number;
        };
        PrizeOrderSubmissionRejectedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.submission_rejected";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderSubmissionRejectedEventData"];
        };
        PrizeOrderSubmissionRejectedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @example shipped
             * @enum {string}
             */
            from: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /**
             * @description The state after it.
             * @example shipped
             * @enum {string}
             */
            to: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /**
             * @description Why the parcel has not arrived.
             * @enum {string}
             */
            exception_reason: "provider_rejected" | "address_invalid" | "delivery_failed" | "returned" | "lost" | "damaged";
            /**
             * @description Why the provider does not take the parcel.
             * @enum {string}
             */
            rejection: "address_invalid" | "destination_unsupported" | "item_unknown" | "out_of_stock" | "rejected";
        };
        PrizeOrderSubmissionUnknownEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.submission_unknown";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderSubmissionUnknownEventData"];
        };
        PrizeOrderSubmissionUnknownEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @example confirmed
             * @enum {string}
             */
            from: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /**
             * @description The state after it.
             * @example confirmed
             * @enum {string}
             */
            to: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description Which of the calls. */
            attempt: number;
            /**
             * @description What is wrong, as a code.
             * @example timeout
             */
            problem: string;
        };
        PrizeOrderSubmittedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize_order.submitted";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeOrderEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderSubmittedEventData"];
        };
        PrizeOrderSubmittedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "confirmed" | "exception" | "cancel_requested";
            /**
             * @description The state after it.
             * @constant
             */
            to: "submitted";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
        };
        PrizeOrderedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize.ordered";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeOrderedEventData"];
        };
        PrizeOrderedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "won";
            /**
             * @description The state after it.
             * @constant
             */
            to: "ordered";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description What sort it is. */
            kind: string;
            /**
             * @description The opening that the prize was won by.
             * @example opn_01b977d7aa0076a1b2c3d4e5f6071801
             */
            opening_id: string | null;
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback: components["schemas"]["EventMoney"] | null;
        };
        PrizePage: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Prize"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example cHJ6XzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODAy
             */
            next_cursor?: string;
        };
        PrizeResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Prize"];
        };
        PrizeReturnedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize.returned";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeReturnedEventData"];
        };
        PrizeReturnedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "ordered" | "cashback_pending" | "cashed_back";
            /**
             * @description The state after it.
             * @constant
             */
            to: "won";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description What sort it is. */
            kind: string;
            /**
             * @description The opening that the prize was won by.
             * @example opn_01b977d7aa0076a1b2c3d4e5f6071801
             */
            opening_id: string | null;
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback: components["schemas"]["EventMoney"] | null;
        };
        PrizeVoidedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize.voided";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeVoidedEventData"];
        };
        PrizeVoidedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string}
             */
            from: "won" | "ordered" | "cashed_back";
            /**
             * @description The state after it.
             * @constant
             */
            to: "voided";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description What sort it is. */
            kind: string;
            /**
             * @description The opening that the prize was won by.
             * @example opn_01b977d7aa0076a1b2c3d4e5f6071801
             */
            opening_id: string | null;
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback: components["schemas"]["EventMoney"] | null;
        };
        PrizeWonEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "prize.won";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["PrizeEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 1
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["PrizeWonEventData"];
        };
        PrizeWonEventData: {
            /** @description Where it began: the state before, or a time. */
            from: null;
            /**
             * @description The state after it.
             * @constant
             */
            to: "won";
            /** @description The player, in the caller’s own words. */
            player_id: string;
            /**
             * @description The prize.
             * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
             */
            prize_id: string;
            /** @description The item. */
            item_id: string;
            /** @description What sort it is. */
            kind: string;
            /**
             * @description The opening that the prize was won by.
             * @example opn_01b977d7aa0076a1b2c3d4e5f6071801
             */
            opening_id: string | null;
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback: components["schemas"]["EventMoney"] | null;
        };
        PublishBoxRequest: {
            /** @description Its name. */
            name: string;
            /** @description What players are told of it, or for people to know it by. */
            description?: string | null;
            /**
             * Format: uri
             * @description Where a picture of it is.
             */
            image_url?: string | null;
            /**
             * @description Who may open the box: players with a grant, or everybody within the limit.
             * @enum {string}
             */
            access: "granted" | "limited";
            /** @description How often a player may open the box, when its access is `limited`. */
            limit?: components["schemas"]["PublishBoxRequestLimit"] | null;
            /** @description From when on the box can be opened; without it at once. */
            active_from?: string | null;
            /** @description Until when the box can be opened; without it for ever. */
            active_until?: string | null;
            /** @description What can be drawn. */
            entries: components["schemas"]["PublishBoxRequestEntry"][];
            /** @description The item that is given when an entry is out of stock. */
            fallback_item_id?: string | number | null;
            /** @description Publishes only if this is the current version; 0 only if there is no such box. */
            expected_version?: number | null;
        };
        PublishBoxRequestEntry: {
            /** @description The item. */
            item_id: string | number;
            /** @description How probable the entry is, beside the weights of the others. */
            weight: number;
            /** @description The most that can be won of it since it was last given out; without it as many as it takes. What is published later goes on with what is left. */
            stock?: number | null;
            /** @description Whether to give out the whole stock again, whatever is left of it in the version before. Takes `expected_version`. */
            restock?: boolean | null;
        };
        PublishBoxRequestLimit: {
            /** @description How many openings. */
            count: number;
            /**
             * @description After which openings are counted anew.
             * @enum {string}
             */
            period: "day" | "week" | "lifetime";
            /** @description In whose time days and weeks begin: a name of the IANA database. */
            time_zone?: string | null;
        };
        PublishedBox: {
            /** @description The box. */
            box_id: string;
            /** @description The box’s version. */
            version: number;
            /** @description Its name. */
            name: string;
            /** @description What players are told of it, or for people to know it by. */
            description: string | null;
            /** @description Where a picture of it is. */
            image_url: string | null;
            /** @description Whether the box is on. */
            enabled: boolean;
            /**
             * @description Who may open the box: players with a grant, or everybody within the limit.
             * @enum {string}
             */
            access: "granted" | "limited";
            /** @description How often a player may open the box, when its access is `limited`. */
            limit: components["schemas"]["OpeningLimit"] | null;
            /**
             * Format: date-time
             * @description From when on the box can be opened; without it at once.
             */
            active_from: string | null;
            /**
             * Format: date-time
             * @description Until when the box can be opened; without it for ever.
             */
            active_until: string | null;
            /** @description The item that is given when an entry is out of stock. */
            fallback_item_id: string | null;
            /** @description The SHA-256 of the odds table. */
            odds_hash: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When this version was published.
             */
            published_at: string;
            /** @description What can be drawn. */
            entries: components["schemas"]["BoxEntry"][];
            /** @description Whether the current version was the same already, so that nothing was published. */
            unchanged: boolean;
            /** @description What became of each stock of this version and of the version before. */
            stocks: components["schemas"]["PublishedStock"][];
            /** @description What may be a mistake. */
            warnings: components["schemas"]["BoxWarning"][];
        };
        PublishedBoxResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["PublishedBox"];
        };
        PublishedSimulation: {
            /**
             * @description How often it is drawn.
             * @default 10000
             */
            draws?: number | null;
            /** @description How often the box is expected to be opened. */
            openings_per_day?: number | null;
        };
        PublishedStock: {
            /** @description The entry’s place in the list, from 1. */
            entry: number | null;
            /** @description The item. */
            item_id: string;
            /** @description The most that can be won of it since it was last given out; without it as many as it takes. What is published later goes on with what is left. */
            stock: number | null;
            /** @description How many could be won of it in the version before; null without a stock there. */
            left_before: number | null;
            /** @description How many of those can still be won. */
            carried_over: number;
            /** @description How many more can be won than before. */
            given_out: number;
            /** @description What is left of the stock. */
            remaining: number;
        };
        PutCasinoRequest: {
            /** @description Its name. */
            name: string;
        };
        PutItemRequest: {
            /** @description Its name. */
            name: string;
            /**
             * @description What sort it is.
             * @enum {string}
             */
            kind: "physical" | "cash" | "bonus" | "none";
            /** @description What players are told of it, or for people to know it by. */
            description?: string | null;
            /**
             * Format: uri
             * @description Where a picture of it is.
             */
            image_url?: string | null;
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback?: components["schemas"]["PutItemRequestCashback"] | null;
            /** @description How many days the player has to claim the prize; without it for ever. */
            claim_days?: number | null;
        };
        PutItemRequestCashback: {
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number;
            /** @description ISO 4217. */
            currency: string;
        };
        PutSettingRequest: components["schemas"]["WalletSetting"] | components["schemas"]["FulfilmentSetting"] | components["schemas"]["RemindersSetting"] | components["schemas"]["ExpirySetting"] | components["schemas"]["PrivacySetting"] | components["schemas"]["LimitsSetting"] | components["schemas"]["QuotasSetting"];
        PutWebhookEndpointRequest: {
            /**
             * Format: uri
             * @description Where it is called, over `https`.
             */
            url: string;
            /** @description What players are told of it, or for people to know it by. */
            description?: string | null;
            /**
             * @description Types, or with `.*` at the end all that begin so; none for all.
             * @default []
             */
            event_types?: ("prize.*" | "prize.won" | "prize.ordered" | "prize.returned" | "prize.fulfilled" | "prize.cashback_pending" | "prize.cashed_back" | "prize.expiring" | "prize.expired" | "prize.voided" | "prize_order.*" | "prize_order.placed" | "prize_order.confirmation_requested" | "prize_order.confirmation_reminder" | "prize_order.address_corrected" | "prize_order.confirmed" | "prize_order.rejected" | "prize_order.held" | "prize_order.released" | "prize_order.submission_attempted" | "prize_order.submission_unknown" | "prize_order.submitted" | "prize_order.submission_accepted" | "prize_order.submission_rejected" | "prize_order.processing" | "prize_order.shipped" | "prize_order.delivered" | "prize_order.exception" | "prize_order.cancel_requested" | "prize_order.cancellation_attempted" | "prize_order.cancellation_unknown" | "prize_order.cancellation_reminder" | "prize_order.cancellation_pending" | "prize_order.cancel_refused" | "prize_order.cancelled" | "prize_order.delivery_erased" | "prize_order.shipment_updated" | "prize_order.news_ignored" | "cashback.*" | "cashback.requested" | "cashback.processing" | "cashback.credited" | "cashback.declined" | "cashback.unknown" | "cashback.manual_review" | "cashback.reversing" | "cashback.reversal_unknown" | "cashback.reversal_review" | "cashback.reversal_declined" | "cashback.reversed" | "cashback.wallet_released" | "cashback.wallet_contradicted" | "webhook_endpoint.*" | "webhook_endpoint.disabled" | "webhook_endpoint.enabled" | "wallet.*" | "wallet.changed" | "wallet.paused" | "wallet.resumed" | "fulfilment.*" | "fulfilment.changed" | "fulfilment.paused" | "fulfilment.resumed" | "reminders.*" | "reminders.changed" | "expiry.*" | "expiry.changed" | "privacy.*" | "privacy.changed" | "limits.*" | "limits.changed" | "quotas.*" | "quotas.changed")[] | null;
            /** @description A signing secret; in answers shown this once. */
            secret?: string | null;
        };
        QuotasChangedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "quotas.changed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["QuotasEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["QuotasChangedEventData"];
        };
        QuotasChangedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string|null}
             */
            from: "active" | "paused" | null;
            /**
             * @description The state after it.
             * @constant
             */
            to: "active";
        };
        QuotasEventObject: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "setting";
            /**
             * @description Its id.
             * @constant
             */
            id: "quotas";
        };
        QuotasSetting: {
            /** @description The items that can be won. */
            items?: number | null;
            /** @description How many boxes the casino may have. */
            boxes?: number | null;
            /** @description What can be drawn. */
            entries?: number | null;
            /** @description How many entries of versions may be published within a day. */
            entries_per_day?: number | null;
            /** @description How many players the casino may have. */
            players?: number | null;
            /** @description How many endpoints the casino may have. */
            webhook_endpoints?: number | null;
            /** @description How many seeds may be made within a day. */
            seeds_per_day?: number | null;
            /** @description A signing secret; in answers shown this once. */
            secret?: string | null;
            /** @description Makes a new secret. */
            new_secret?: boolean | null;
            /** @description For how long the old one lives on. */
            overlap_seconds?: number | null;
        };
        RecordedCashback: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Cashback decision recorded";
        };
        RecordedOrder: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /**
             * @description The same in a sentence, for people.
             * @constant
             */
            message: "Prize order recorded. Awaiting confirmation for shipment.";
        };
        RejectOrderRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
            /** @description Whether the player gets the prize back; else it is void. */
            return_prize?: boolean;
        };
        ReleaseCashbackWalletRequest: {
            /** @description Why, for the history. */
            reason: string;
        };
        ReleaseOrderRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
            /**
             * @description Why the order is held.
             * @enum {string}
             */
            hold_reason?: "incorrect_address" | "fraud_risk" | "kyc_pending" | "player_restricted" | "out_of_stock" | "customs" | "other";
        };
        RemindersChangedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "reminders.changed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["RemindersEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["RemindersChangedEventData"];
        };
        RemindersChangedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string|null}
             */
            from: "active" | "paused" | null;
            /**
             * @description The state after it.
             * @constant
             */
            to: "active";
        };
        RemindersEventObject: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "setting";
            /**
             * @description Its id.
             * @constant
             */
            id: "reminders";
        };
        RemindersSetting: {
            /** @description Hours after which an order that waits is brought up again, ascending. */
            after_hours: number[];
            /** @description A signing secret; in answers shown this once. */
            secret?: string | null;
            /** @description Makes a new secret. */
            new_secret?: boolean | null;
            /** @description For how long the old one lives on. */
            overlap_seconds?: number | null;
        };
        ReplayEventRequest: {
            /** @description The webhook endpoint. */
            endpoint_id?: string | number | null;
        };
        ReplayWebhookEventsRequest: {
            /** @description Where it began: the state before, or a time. */
            from?: string | null;
            /** @description A time; without it now. */
            until?: string | null;
            /**
             * @description Only those that have failed for good.
             * @default false
             */
            only_failed?: boolean | null;
            /** @description The `next_cursor` of the answer before. */
            cursor?: string | null;
        };
        ReplayWebhookEventsResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["ReplayedEvents"];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example NTY3ODkuMTIzNA
             */
            next_cursor?: string;
        };
        ReplayedDelivery: {
            /** @description The delivery. */
            delivery_id: string;
            /** @description The webhook endpoint. */
            endpoint_id: string;
        };
        ReplayedEvent: {
            /** @description The new deliveries. */
            replayed: components["schemas"]["ReplayedDelivery"][];
        };
        ReplayedEventResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["ReplayedEvent"];
        };
        ReplayedEvents: {
            /** @description How many are sent again. */
            replayed_count: number;
        };
        ReportOrderExceptionRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
            /**
             * @description Why the parcel has not arrived.
             * @enum {string}
             */
            exception_reason: "provider_rejected" | "address_invalid" | "delivery_failed" | "returned" | "lost" | "damaged";
        };
        ReportShipmentRequest: {
            /** @description The order. */
            order_id: string;
            /** @description Counts the order’s parcels, from 1. */
            shipment_number: number;
            /**
             * @description How it ended.
             * @enum {string}
             */
            status: "processing" | "shipped" | "delivered" | "exception" | "cancelled" | "cancel_refused";
            /** @description Why, for the history. */
            reason?: string | null;
            /** @description Who carries the parcel. */
            carrier?: string | null;
            /** @description The carrier’s number of the parcel. */
            tracking_number?: string | null;
            /**
             * Format: date-time
             * @description When it happened, by the provider’s clock.
             */
            occurred_at: string;
        };
        ReportShipmentResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
        };
        ReshipOrderRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
        };
        ResolveCashbackRequest: {
            /**
             * @description What came of it.
             * @enum {string}
             */
            outcome: "credited" | "declined" | "reversed";
            /** @description Why, for the history. */
            reason: string;
        };
        ResumeOrderRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
        };
        RetryCashbackRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
        };
        ReverseCashbackRequest: {
            /**
             * @description The prize that was won.
             * @enum {string}
             */
            prize: "return" | "void";
            /** @description The casino has taken the money out of its wallet itself: no wallet is asked. */
            money_back?: boolean;
            /** @description Why, for the history. */
            reason: string;
        };
        RevokedApiKey: {
            /** @description The key’s id, which is no secret. */
            key_id: string;
            /** @description Its name. */
            name: string | null;
            /**
             * @description Whether the key is for the casino or for its sandbox.
             * @enum {string}
             */
            mode: "live" | "test";
            /** @description What the key may do. */
            scopes: ("play" | "manage")[];
            /** @description Whether the three operations need an `Idempotency-Key` with this key. */
            require_idempotency_key: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Until when it can be used.
             */
            expires_at: string | null;
            /** @description Addresses and networks that the key may be used from; none for all. */
            allowed_addresses: string[];
            /** @description Which key made the key, or `admin`; null when it is older than this field. */
            created_by: string | null;
            /** @description Which key it replaced. */
            rotated_from: string | null;
            /** @description Who replaced that key: `admin`, or the id of a key. */
            rotated_by: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked.
             */
            revoked_at: string | null;
            /**
             * Format: date-time
             * @description About when the key was last used.
             */
            last_used_at: string | null;
            /** @description The ids of the keys that were revoked with it, because it made or rotated them. */
            also_revoked: string[];
        };
        RevokedApiKeyResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["RevokedApiKey"];
        };
        RotateApiKeyRequest: {
            /**
             * @description For how long the old one lives on.
             * @default 86400
             */
            overlap_seconds?: number;
            /** @description Whether the three operations need an `Idempotency-Key` with this key. */
            require_idempotency_key?: boolean | null;
            /** @description Until when it can be used. */
            expires_at?: string | null;
            /** @description Addresses and networks that the key may be used from; none for all. */
            allowed_addresses?: string[] | null;
        };
        RotateWebhookSecretRequest: {
            /**
             * @description For how long the old one lives on.
             * @default 86400
             */
            overlap_seconds?: number;
            /** @description A signing secret; in answers shown this once. */
            secret?: string | null;
        };
        RunOut: {
            /** @description The entry’s place in the list, from 1. */
            entry: number;
            /** @description The item. */
            item_id: string;
            /** @description The most that can be won of it since it was last given out; without it as many as it takes. What is published later goes on with what is left. */
            stock: number;
            /** @description After how many openings the stock is expected to be used up. */
            expected_openings: string;
            /** @description Of that number. */
            standard_deviation: string;
            /** @description After how many days the stock is expected to be used up. */
            expected_days: string | null;
            /**
             * Format: date-time
             * @description When the stock is expected to be used up.
             */
            expected_at: string | null;
        };
        SavedSetting: {
            /**
             * @description Its name.
             * @enum {string}
             */
            name: "wallet" | "fulfilment" | "reminders" | "expiry" | "privacy" | "limits" | "quotas";
            /** @description What was chosen. */
            value: {
                [key: string]: unknown;
            };
            /** @description Whether there is a secret. */
            secret_set: boolean;
            /**
             * Format: date-time
             * @description Until when the secret before goes on, when there is such a one.
             */
            previous_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description Since when it is paused.
             */
            paused_at: string | null;
            /** @description Why it is paused. */
            paused_reason: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string | null;
            /** @description A signing secret; in answers shown this once. */
            secret?: string;
        };
        SavedSettingResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["SavedSetting"];
        };
        SavedWebhookEndpoint: {
            /** @description The webhook endpoint. */
            endpoint_id: string;
            /** @description Where it is called, over `https`. */
            url: string;
            /** @description What players are told of it, or for people to know it by. */
            description: string | null;
            /** @description Types, or with `.*` at the end all that begin so; none for all. */
            event_types: string[];
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "enabled" | "disabled";
            /**
             * @description Why it is off.
             * @enum {string|null}
             */
            disabled_reason: "operator" | "gone" | "failing" | "deleting" | null;
            /**
             * Format: date-time
             * @description Since when nothing has got through.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description The receiver has asked (`Retry-After`) to be left alone until then.
             */
            resting_until: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description A signing secret; in answers shown this once. */
            secret?: string;
        };
        SavedWebhookEndpointResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["SavedWebhookEndpoint"];
        };
        Seed: {
            /**
             * @description Its id.
             * @example sed_01b977d7aa0076a1b2c3d4e5f6071806
             */
            id: string;
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "next" | "active" | "retired" | "revealed";
            /**
             * @description How the outcome was derived; `null` in openings from before draws were verifiable.
             * @constant
             */
            scheme: "hmac-sha256-v1";
            /** @description The SHA-256 of the seed, published before its use. */
            commitment: string;
            /** @description 32 bytes in hexadecimal; null until the seed is revealed. */
            seed: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the seed came into use.
             */
            activated_at: string | null;
            /**
             * Format: date-time
             * @description When the casino went on with its next seed.
             */
            retired_at: string | null;
            /**
             * Format: date-time
             * @description By when the seed is revealed: five minutes after its retirement. `null` while it is in use.
             */
            reveal_by: string | null;
            /**
             * Format: date-time
             * @description When the seed was revealed.
             */
            revealed_at: string | null;
        };
        SeedPage: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Seed"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example c2VkXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA2
             */
            next_cursor?: string;
        };
        SeedRotation: {
            /** @description Whether this call has rotated. */
            rotated: boolean;
            /**
             * @description The seed that was in use.
             * @example sed_01b977d7aa0076a1b2c3d4e5f6071806
             */
            retired_seed_id: string | null;
        };
        SeedRotationResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["SeedRotation"];
        };
        SetClientSeedRequest: {
            /** @description What the player has mixed into the draws. */
            client_seed: string | null;
        };
        Setting: {
            /**
             * @description Its name.
             * @enum {string}
             */
            name: "wallet" | "fulfilment" | "reminders" | "expiry" | "privacy" | "limits" | "quotas";
            /** @description What was chosen. */
            value: {
                [key: string]: unknown;
            };
            /** @description Whether there is a secret. */
            secret_set: boolean;
            /**
             * Format: date-time
             * @description Until when the secret before goes on, when there is such a one.
             */
            previous_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description Since when it is paused.
             */
            paused_at: string | null;
            /** @description Why it is paused. */
            paused_reason: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string | null;
        };
        SettingListResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Setting"][];
        };
        SettingResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["Setting"];
        };
        SettingTest: {
            /** @description Whether the partner took the call. */
            ok: boolean;
            /** @description What became of it, for people. */
            detail: string;
        };
        SettingTestResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["SettingTest"];
        };
        ShipOrderRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
            /** @description Who carries the parcel. */
            carrier?: string | null;
            /** @description The carrier’s number of the parcel. */
            tracking_number?: string | null;
        };
        ShipmentNews: {
            /** @description The provider’s own id of it; a hash once it is erased. */
            news_id: string;
            /** @description The order. */
            order_id: string;
            /** @description Counts the order’s parcels, from 1. */
            shipment_number: number;
            /**
             * @description How it ended.
             * @enum {string}
             */
            status: "processing" | "shipped" | "delivered" | "exception" | "cancelled" | "cancel_refused";
            /** @description Why, for the history. */
            reason: string | null;
            /** @description Who carries the parcel. */
            carrier: string | null;
            /** @description The carrier’s number of the parcel. */
            tracking_number: string | null;
            /**
             * Format: date-time
             * @description When it happened, by the provider’s clock.
             */
            occurred_at: string;
            /**
             * Format: date-time
             * @description When it was told.
             */
            received_at: string;
        };
        SigningKey: {
            /**
             * @description The algorithm of the signatures.
             * @constant
             */
            algorithm: "Ed25519";
            /** @description The public key, in hexadecimal. */
            signing_key: string;
        };
        SigningKeyResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["SigningKey"];
        };
        SimulateBoxRequest: components["schemas"]["DraftSimulation"] | components["schemas"]["PublishedSimulation"];
        Simulation: {
            /** @description How often it is drawn. */
            draws: number;
            /** @description 32 bytes in hexadecimal; null until the seed is revealed. */
            seed: string;
            /** @description What can be drawn. */
            entries: components["schemas"]["SimulationEntry"][];
            /** @description The statistic of the chi-square test; null where too little was drawn. */
            chi_square: number | null;
            /** @description Of the test. */
            degrees_of_freedom: number | null;
            /** @description How probable a deviation like this one is. */
            p_value: number | null;
        };
        SimulationEntry: {
            /** @description The entry’s place in the list, from 1. */
            entry: number;
            /** @description The item. */
            item_id: string;
            /** @description How probable the entry is, beside the weights of the others. */
            weight: number;
            /** @description How often it is to be expected. */
            expected: number;
            /** @description How often it was drawn. */
            observed: number;
        };
        StatusAnswer: components["schemas"]["NoNewsAnswer"] | components["schemas"]["NewsAnswer"];
        StatusCall: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "order.status";
            /**
             * @description Names the parcel: one id is one parcel.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803-1
             */
            submission_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /** @description Counts the order’s parcels, from 1. */
            shipment_number: number;
        };
        SubmitAnswer: components["schemas"]["SubmitAnswerAccepted"] | components["schemas"]["SubmitAnswerRejected"];
        SubmitAnswerAccepted: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "accepted";
            /** @description The partner’s own name for it, for people to find it by. */
            reference?: string | null;
        };
        SubmitAnswerRejected: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "rejected";
            /**
             * @description What it is about, for programs.
             * @enum {string}
             */
            code: "address_invalid" | "destination_unsupported" | "item_unknown" | "out_of_stock" | "rejected";
        };
        SubmitCall: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "order.submit";
            /**
             * @description Names the parcel: one id is one parcel.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803-1
             */
            submission_id: string;
            /**
             * @description The order.
             * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
             */
            order_id: string;
            /** @description Counts the order’s parcels, from 1. */
            shipment_number: number;
            /** @description The prize. */
            prize_id: string;
            /** @description The item. */
            item: components["schemas"]["SubmittedItem"];
            /** @description The delivery details; null once they are erased. */
            delivery: components["schemas"]["SubmittedDelivery"];
        };
        SubmittedDelivery: {
            /** @description Who gets the parcel. */
            recipient_name: string;
            /** @description Street and number. */
            street: string;
            /** @description City. */
            city: string;
            /** @description Postal code. */
            postal_code: string;
            /** @description Country. */
            country: string;
            /** @description Where it stands. */
            state?: string;
            /** @description Telephone number. */
            phone_number?: string;
            /** @description E-mail address. */
            email?: string;
            /** @description Notes for the delivery. */
            additional_notes?: string;
        };
        SubmittedItem: {
            /** @description Its id. */
            id: string;
            /** @description Its name. */
            name: string;
        };
        TestEvent: {
            /**
             * @description Its id.
             * @example tst_01b977d7aa0076a1b2c3d4e5f6071809
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["TestEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 0
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["TestEventData"];
        };
        TestEventData: {
            /** @description The webhook endpoint. */
            endpoint_id: string;
        };
        TestEventObject: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "webhook_endpoint";
            /**
             * @description Its id.
             * @example crm
             */
            id: string;
        };
        TestSettingRequest: components["schemas"]["WalletSetting"] | components["schemas"]["FulfilmentSetting"] | components["schemas"]["RemindersSetting"] | components["schemas"]["ExpirySetting"] | components["schemas"]["PrivacySetting"] | components["schemas"]["LimitsSetting"] | components["schemas"]["QuotasSetting"];
        VersionConflict: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "error";
            /** @description The same in a sentence, for people. */
            message: string;
            /** @description The version that the box has; 0 without a box. */
            current_version?: number;
        };
        VoidPrizeRequest: {
            /** @description Why, for the history. */
            reason?: string | null;
        };
        WalletAnswer: {
            /**
             * @description What the wallet was asked to do.
             * @enum {string}
             */
            operation: "credit" | "debit";
            /** @description The movement of money. */
            transaction_id: string;
            /** @description Which wallet: the same text means the same URL. */
            wallet_id: string;
            /** @description Which of the calls. */
            attempt: number;
            /**
             * @description What came of it.
             * @enum {string}
             */
            outcome: "credited" | "debited" | "already_processed" | "declined";
            /** @description Why the wallet refused. */
            decline_code: string | null;
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: (number | string) | null;
            /** @description ISO 4217. */
            currency: string | null;
            /** @description The wallet’s own name for it. */
            wallet_reference: string | null;
            /** @description Whether something else was on record when it came. */
            contradicts: boolean;
            /**
             * Format: date-time
             * @description When it was told.
             */
            received_at: string;
        };
        WalletChangedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "wallet.changed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["WalletEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["WalletChangedEventData"];
        };
        WalletChangedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @enum {string|null}
             */
            from: "active" | "paused" | null;
            /**
             * @description The state after it.
             * @constant
             */
            to: "active";
        };
        WalletEventObject: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "setting";
            /**
             * @description Its id.
             * @constant
             */
            id: "wallet";
        };
        WalletPausedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "wallet.paused";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["WalletEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["WalletPausedEventData"];
        };
        WalletPausedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "active";
            /**
             * @description The state after it.
             * @constant
             */
            to: "paused";
            /**
             * @description Why, for the history.
             * @example status_401
             */
            reason: string;
        };
        WalletResumedEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "wallet.resumed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["WalletEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["WalletResumedEventData"];
        };
        WalletResumedEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "paused";
            /**
             * @description The state after it.
             * @constant
             */
            to: "active";
        };
        WalletSetting: components["schemas"]["WalletSettingLedger"] | components["schemas"]["WalletSettingHttp"];
        WalletSettingHttp: {
            /**
             * @description What sort it is.
             * @constant
             */
            kind: "http";
            /**
             * Format: uri
             * @description Where it is called, over `https`.
             */
            url: string;
            /**
             * @description How long to wait for the partner’s answer.
             * @default 5000
             */
            timeout_ms?: number;
            /** @description A signing secret; in answers shown this once. */
            secret?: string | null;
            /** @description Makes a new secret. */
            new_secret?: boolean | null;
            /** @description For how long the old one lives on. */
            overlap_seconds?: number | null;
        };
        WalletSettingLedger: {
            /**
             * @description What sort it is.
             * @constant
             */
            kind: "ledger";
            /** @description A signing secret; in answers shown this once. */
            secret?: string | null;
            /** @description Makes a new secret. */
            new_secret?: boolean | null;
            /** @description For how long the old one lives on. */
            overlap_seconds?: number | null;
        };
        WebhookDelivery: {
            /** @description The delivery. */
            delivery_id: string;
            /** @description The webhook endpoint. */
            endpoint_id: string;
            /**
             * @description The event.
             * @example evt_1234
             */
            event_id: string;
            /** @description The event’s type. */
            event_type: string;
            /** @description What it is about. */
            object: components["schemas"]["EventObject"];
            /** @description Counts what happens to one object, or the openings of one player, from 1. */
            sequence: number;
            /** @description 0 for the first delivery, then 1, 2 … for each repetition. */
            replay_number: number;
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "pending" | "delivered" | "failed";
            /** @description How often it was tried. */
            attempts: number;
            /** @description The HTTP status of the last attempt. */
            last_status: number | null;
            /** @description Why the last attempt failed. */
            last_problem: string | null;
            /**
             * Format: date-time
             * @description When it is tried again.
             */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        WebhookDeliveryListResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["WebhookDelivery"][];
        };
        WebhookDeliveryPage: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["WebhookDelivery"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example ZGx2XzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA1
             */
            next_cursor?: string;
        };
        WebhookEndpoint: {
            /** @description The webhook endpoint. */
            endpoint_id: string;
            /** @description Where it is called, over `https`. */
            url: string;
            /** @description What players are told of it, or for people to know it by. */
            description: string | null;
            /** @description Types, or with `.*` at the end all that begin so; none for all. */
            event_types: string[];
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "enabled" | "disabled";
            /**
             * @description Why it is off.
             * @enum {string|null}
             */
            disabled_reason: "operator" | "gone" | "failing" | "deleting" | null;
            /**
             * Format: date-time
             * @description Since when nothing has got through.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description The receiver has asked (`Retry-After`) to be left alone until then.
             */
            resting_until: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        WebhookEndpointDetails: {
            /** @description The webhook endpoint. */
            endpoint_id: string;
            /** @description Where it is called, over `https`. */
            url: string;
            /** @description What players are told of it, or for people to know it by. */
            description: string | null;
            /** @description Types, or with `.*` at the end all that begin so; none for all. */
            event_types: string[];
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "enabled" | "disabled";
            /**
             * @description Why it is off.
             * @enum {string|null}
             */
            disabled_reason: "operator" | "gone" | "failing" | "deleting" | null;
            /**
             * Format: date-time
             * @description Since when nothing has got through.
             */
            failing_since: string | null;
            /**
             * Format: date-time
             * @description The receiver has asked (`Retry-After`) to be left alone until then.
             */
            resting_until: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /** @description How many wait, counted up to a bound. */
            pending_deliveries: number;
        };
        WebhookEndpointDetailsResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["WebhookEndpointDetails"];
        };
        WebhookEndpointDisabledEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook_endpoint.disabled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["WebhookEndpointEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["WebhookEndpointDisabledEventData"];
        };
        WebhookEndpointDisabledEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "enabled";
            /**
             * @description The state after it.
             * @constant
             */
            to: "disabled";
            /** @description The webhook endpoint. */
            endpoint_id: string;
            /**
             * @description Why, for the history.
             * @enum {string}
             */
            reason?: "operator" | "gone" | "failing" | "deleting";
        };
        WebhookEndpointEnabledEvent: {
            /**
             * @description Its id.
             * @example evt_1234
             */
            id: string;
            /**
             * @description What has happened, or to what sort of thing. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook_endpoint.enabled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /** @description The casino. */
            casino_id: string;
            /** @description What it is about. */
            object: components["schemas"]["WebhookEndpointEventObject"];
            /**
             * @description Counts what happens to one object, or the openings of one player, from 1.
             * @example 2
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /** @description What was asked for. */
            data: components["schemas"]["WebhookEndpointEnabledEventData"];
        };
        WebhookEndpointEnabledEventData: {
            /**
             * @description Where it began: the state before, or a time.
             * @constant
             */
            from: "disabled";
            /**
             * @description The state after it.
             * @constant
             */
            to: "enabled";
            /** @description The webhook endpoint. */
            endpoint_id: string;
        };
        WebhookEndpointEventObject: {
            /**
             * @description What has happened, or to what sort of thing.
             * @constant
             */
            type: "webhook_endpoint";
            /**
             * @description Its id.
             * @example crm
             */
            id: string;
        };
        WebhookEndpointPage: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["WebhookEndpoint"][];
            /**
             * @description Where the next page begins. Absent on the last one, but for feeds.
             * @example Y3Jt
             */
            next_cursor?: string;
        };
        WebhookEndpointTest: {
            /** @description The event. */
            event: components["schemas"]["TestEvent"];
            /** @description Whether the receiver took it. */
            delivered: boolean;
            /** @description How it ended. */
            status: number | null;
            /** @description What is wrong, as a code. */
            problem: string | null;
            /** @description How long it took. */
            duration_ms: number;
        };
        WebhookEndpointTestResponse: {
            /**
             * @description How it ended.
             * @constant
             */
            status: "success";
            /** @description What was asked for. */
            data: components["schemas"]["WebhookEndpointTest"];
        };
        /** @description An event of any type. Answer those that you do not know with a 2xx: more types may come. */
        WebhookEvent: components["schemas"]["PrizeWonEvent"] | components["schemas"]["PrizeOrderedEvent"] | components["schemas"]["PrizeReturnedEvent"] | components["schemas"]["PrizeFulfilledEvent"] | components["schemas"]["PrizeCashbackPendingEvent"] | components["schemas"]["PrizeCashedBackEvent"] | components["schemas"]["PrizeExpiringEvent"] | components["schemas"]["PrizeExpiredEvent"] | components["schemas"]["PrizeVoidedEvent"] | components["schemas"]["PrizeOrderPlacedEvent"] | components["schemas"]["PrizeOrderConfirmationRequestedEvent"] | components["schemas"]["PrizeOrderConfirmationReminderEvent"] | components["schemas"]["PrizeOrderAddressCorrectedEvent"] | components["schemas"]["PrizeOrderConfirmedEvent"] | components["schemas"]["PrizeOrderRejectedEvent"] | components["schemas"]["PrizeOrderHeldEvent"] | components["schemas"]["PrizeOrderReleasedEvent"] | components["schemas"]["PrizeOrderSubmissionAttemptedEvent"] | components["schemas"]["PrizeOrderSubmissionUnknownEvent"] | components["schemas"]["PrizeOrderSubmittedEvent"] | components["schemas"]["PrizeOrderSubmissionAcceptedEvent"] | components["schemas"]["PrizeOrderSubmissionRejectedEvent"] | components["schemas"]["PrizeOrderProcessingEvent"] | components["schemas"]["PrizeOrderShippedEvent"] | components["schemas"]["PrizeOrderDeliveredEvent"] | components["schemas"]["PrizeOrderExceptionEvent"] | components["schemas"]["PrizeOrderCancelRequestedEvent"] | components["schemas"]["PrizeOrderCancellationAttemptedEvent"] | components["schemas"]["PrizeOrderCancellationUnknownEvent"] | components["schemas"]["PrizeOrderCancellationReminderEvent"] | components["schemas"]["PrizeOrderCancellationPendingEvent"] | components["schemas"]["PrizeOrderCancelRefusedEvent"] | components["schemas"]["PrizeOrderCancelledEvent"] | components["schemas"]["PrizeOrderDeliveryErasedEvent"] | components["schemas"]["PrizeOrderShipmentUpdatedEvent"] | components["schemas"]["PrizeOrderNewsIgnoredEvent"] | components["schemas"]["CashbackRequestedEvent"] | components["schemas"]["CashbackProcessingEvent"] | components["schemas"]["CashbackCreditedEvent"] | components["schemas"]["CashbackDeclinedEvent"] | components["schemas"]["CashbackUnknownEvent"] | components["schemas"]["CashbackManualReviewEvent"] | components["schemas"]["CashbackReversingEvent"] | components["schemas"]["CashbackReversalUnknownEvent"] | components["schemas"]["CashbackReversalReviewEvent"] | components["schemas"]["CashbackReversalDeclinedEvent"] | components["schemas"]["CashbackReversedEvent"] | components["schemas"]["CashbackWalletReleasedEvent"] | components["schemas"]["CashbackWalletContradictedEvent"] | components["schemas"]["WebhookEndpointDisabledEvent"] | components["schemas"]["WebhookEndpointEnabledEvent"] | components["schemas"]["WalletChangedEvent"] | components["schemas"]["WalletPausedEvent"] | components["schemas"]["WalletResumedEvent"] | components["schemas"]["FulfilmentChangedEvent"] | components["schemas"]["FulfilmentPausedEvent"] | components["schemas"]["FulfilmentResumedEvent"] | components["schemas"]["RemindersChangedEvent"] | components["schemas"]["ExpiryChangedEvent"] | components["schemas"]["PrivacyChangedEvent"] | components["schemas"]["LimitsChangedEvent"] | components["schemas"]["QuotasChangedEvent"] | components["schemas"]["TestEvent"];
        WinnablePrize: {
            /** @description Its id. */
            id: string;
            /** @description Its name. */
            name: string;
            /**
             * @description What sort it is.
             * @enum {string}
             */
            kind: "physical" | "cash" | "bonus" | "none";
            /** @description What players are told of it, or for people to know it by. */
            description: string | null;
            /** @description Where a picture of it is. */
            image: string | null;
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback: components["schemas"]["Money"] | null;
            /** @description How many days the player has to claim the prize; without it for ever. */
            claim_days: number | null;
            /** @description The probability. */
            odds: components["schemas"]["Odds"];
            /** @description The entry’s place in the odds table, from 1. */
            position: number;
            /** @description Whether it is in stock. */
            available: boolean;
        };
        WonCashback: {
            /** @description In the currency’s smallest unit; beyond 2^53 − 1 as text. */
            amount_minor: number;
            /** @description ISO 4217. */
            currency: string;
        };
        WonPrize: {
            /** @description Its id. */
            id: string;
            /** @description The item. */
            item_id: string;
            /** @description Its name. */
            name: string;
            /**
             * @description What sort it is.
             * @enum {string}
             */
            kind: "physical" | "cash" | "bonus" | "none";
            /** @description What players are told of it, or for people to know it by. */
            description?: string;
            /** @description Where a picture of it is. */
            image_url?: string;
            /** @description What the prize is worth as cashback; none when it cannot be cashed back. */
            cashback?: components["schemas"]["WonCashback"];
            /**
             * Format: date-time
             * @description Until when it can be used.
             */
            expires_at?: string;
        };
    };
    responses: {
        /** @description Bad Request. `X-Error-Code` is `api_key_misplaced` or `request_malformed` or `body_malformed` or `parameters_invalid` or `idempotency_key_invalid` or `idempotency_key_required` or `test_outcome_unknown` or `event_cursor_unknown`. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "message": "The given data was invalid.",
                 *       "errors": {
                 *         "player_id": [
                 *           {
                 *             "error": "required",
                 *             "message": "player_id is required"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvalidParameters"];
            };
        };
        /** @description Unauthorized. `X-Error-Code` is `api_key_invalid` or `api_key_address_refused` or `api_key_in_url` or `signature_invalid`. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "message": "Invalid or missing API key"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing` or `cross_site_refused` or `api_key_wider`. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "message": "The API key is not allowed to do this"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited` or `signature_attempts_limited` or `login_limited`. */
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "message": "Too many attempts with invalid API keys, try again later"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "message": "An internal error occurred."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Service Unavailable. `X-Error-Code` is `overloaded` or `queue_unavailable`. */
        ServiceUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "message": "The service is overloaded, try again later"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not Found. `X-Error-Code` is `route_unknown` or `prize_unknown` or `prize_not_owned` or `prize_not_orderable` or `prize_not_cashable` or `box_unknown` or `box_closed` or `box_sold_out` or `opening_not_entitled` or `opening_unknown` or `casino_unknown` or `item_unknown` or `order_unknown` or `cashback_unknown` or `api_key_unknown` or `setting_unknown` or `event_unknown` or `webhook_endpoint_unknown`. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "message": "Not found"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "message": "Request body too large"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `prize_exists` or `box_version_conflict` or `api_key_limit` or `setting_unreadable` or `webhook_endpoint_limit` or `webhook_endpoint_deleting` or `quota_exceeded` or `grant_conflict` or `transition_illegal` or `cashback_needs_resolution`. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "message": "A request with this Idempotency-Key is under way, try again later"
                 *     }
                 */
                "application/json": components["schemas"]["VersionConflict"];
            };
        };
        /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
        UnprocessableEntity: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "message": "This Idempotency-Key was used for a different request"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unauthorized. `X-Error-Code` is `api_key_invalid` or `api_key_address_refused` or `api_key_in_url` or `signature_invalid`. */
        UnauthorizedWithoutKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "message": "Invalid or missing API key"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
        InternalServerErrorWithoutKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "message": "An internal error occurred."
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Not Found. `X-Error-Code` is `route_unknown` or `prize_unknown` or `prize_not_owned` or `prize_not_orderable` or `prize_not_cashable` or `box_unknown` or `box_closed` or `box_sold_out` or `opening_not_entitled` or `opening_unknown` or `casino_unknown` or `item_unknown` or `order_unknown` or `cashback_unknown` or `api_key_unknown` or `setting_unknown` or `event_unknown` or `webhook_endpoint_unknown`. */
        NotFoundWithoutKey: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Error-Code": components["headers"]["X-Error-Code"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "status": "error",
                 *       "message": "Not found"
                 *     }
                 */
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Names the request in our log. The caller’s own, when one was sent that is harmless.
         * @example req_01b977d7aa0076a1b2c3d4e5f6071807
         */
        "X-Request-Id": string;
        /**
         * @description What is wrong, for programs: a stable code. More may be added.
         * @example parameters_invalid
         */
        "X-Error-Code": string;
        /**
         * @description How to authenticate.
         * @example Bearer
         */
        "WWW-Authenticate": "Bearer";
        /**
         * @description Seconds after which trying again makes sense.
         * @example 1
         */
        "Retry-After": string;
        /**
         * @description The limit of this key (of partners, of this address) for this operation: requests (`q`) and seconds (`w`).
         * @example "box_open";q=20000;w=2
         */
        "RateLimit-Policy": string;
        /**
         * @description How many requests are left now (`r`), and after how many seconds all are there again (`t`).
         * @example "box_open";r=19999;t=1
         */
        RateLimit: string;
        /**
         * @description `true` when this is the answer to an earlier request with the same key.
         * @example true
         */
        "Idempotency-Replayed": "true";
        /**
         * @description Names this answer; see `If-None-Match`.
         * @example "q7J3fFh0Jb7vDk1o8sYqk0o8L0d9S3c2VqC1uXo4m5E"
         */
        ETag: string;
        /**
         * @description Who may keep the answer, and for how long.
         * @example private, no-cache
         */
        "Cache-Control": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    openBox: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
                /**
                 * @description With a key of mode `test` only: the `item_id` that is to be won.
                 * @example mug
                 */
                "X-Test-Outcome"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "player_id": "player-42",
                 *       "box_id": "daily"
                 *     }
                 */
                "application/json": components["schemas"]["OpenBoxRequest"];
            };
        };
        responses: {
            /** @description The box was opened. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Box opened successfully",
                     *       "prize": {
                     *         "id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "item_id": "mug",
                     *         "name": "Mug",
                     *         "kind": "physical",
                     *         "description": "A blue mug",
                     *         "image_url": "https://cdn.example.com/mug.png",
                     *         "cashback": {
                     *           "amount_minor": 500,
                     *           "currency": "EUR"
                     *         },
                     *         "expires_at": "2030-12-31T23:59:59.000Z"
                     *       },
                     *       "opening": {
                     *         "id": "opn_01b977d7aa0076a1b2c3d4e5f6071801",
                     *         "box_id": "daily",
                     *         "box_version": 3,
                     *         "odds_hash": "17488769a9d22b463b2a9f4f6c96c0cd1a1b5ea4c9e62b3e517747a6239851c9",
                     *         "seed_id": "sed_01b977d7aa0076a1b2c3d4e5f6071806",
                     *         "seed_commitment": "bbd2b7b50d41bcf17cc26f1eaec510397970a8b451c60361b52b663af9b07c45",
                     *         "nonce": 3,
                     *         "client_seed": "my lucky words"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpenedBox"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid` or `idempotency_key_required` or `test_outcome_unknown`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Missing or invalid player_id or box_id"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenBoxBadRequestError"];
                };
            };
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused` or `api_key_scope_missing`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Invalid or missing API key"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenBoxUnauthorizedError"];
                };
            };
            /** @description Not Found. `X-Error-Code` is `box_unknown` or `box_closed` or `box_sold_out` or `opening_not_entitled`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Box not found or unavailable"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenBoxNotFoundError"];
                };
            };
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Request body too large"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenBoxPayloadTooLargeError"];
                };
            };
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "This Idempotency-Key was used for a different request"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenBoxUnprocessableEntityError"];
                };
            };
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Too many attempts with invalid API keys, try again later"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenBoxTooManyRequestsError"];
                };
            };
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "An error occurred while opening the box."
                     *     }
                     */
                    "application/json": components["schemas"]["OpenBoxInternalServerError"];
                };
            };
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "The service is overloaded, try again later"
                     *     }
                     */
                    "application/json": components["schemas"]["OpenBoxServiceUnavailableError"];
                };
            };
        };
    };
    orderPrize: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "player_id": "player-42",
                 *       "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                 *       "recipient_name": "Ada Lovelace",
                 *       "street": "350 Fifth Avenue",
                 *       "city": "New York",
                 *       "state": "New York",
                 *       "postal_code": "10118",
                 *       "country": "United States",
                 *       "phone_number": "+1 212 555 0123",
                 *       "email": "ada@example.com",
                 *       "additional_notes": "Ring twice."
                 *     }
                 */
                "application/json": components["schemas"]["OrderPrizeRequest"];
            };
        };
        responses: {
            /** @description The order is recorded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Prize order recorded. Awaiting confirmation for shipment."
                     *     }
                     */
                    "application/json": components["schemas"]["RecordedOrder"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid` or `idempotency_key_required`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "The given data was invalid.",
                     *       "errors": {
                     *         "player_id": [
                     *           {
                     *             "error": "required",
                     *             "message": "player_id is required"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderPrizeBadRequestError"];
                };
            };
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused` or `api_key_scope_missing`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Invalid or missing API key"
                     *     }
                     */
                    "application/json": components["schemas"]["OrderPrizeUnauthorizedError"];
                };
            };
            /** @description Forbidden. `X-Error-Code` is `prize_not_owned`. */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Player does not have the specified prize in inventory"
                     *     }
                     */
                    "application/json": components["schemas"]["OrderPrizeForbiddenError"];
                };
            };
            /** @description Not Found. `X-Error-Code` is `prize_unknown` or `prize_not_orderable`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Prize not found or unavailable for order"
                     *     }
                     */
                    "application/json": components["schemas"]["OrderPrizeNotFoundError"];
                };
            };
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Request body too large"
                     *     }
                     */
                    "application/json": components["schemas"]["OrderPrizePayloadTooLargeError"];
                };
            };
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "This Idempotency-Key was used for a different request"
                     *     }
                     */
                    "application/json": components["schemas"]["OrderPrizeUnprocessableEntityError"];
                };
            };
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Too many attempts with invalid API keys, try again later"
                     *     }
                     */
                    "application/json": components["schemas"]["OrderPrizeTooManyRequestsError"];
                };
            };
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "An error occurred while recording the prize order."
                     *     }
                     */
                    "application/json": components["schemas"]["OrderPrizeInternalServerError"];
                };
            };
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "The service is overloaded, try again later"
                     *     }
                     */
                    "application/json": components["schemas"]["OrderPrizeServiceUnavailableError"];
                };
            };
        };
    };
    cashBackPrize: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "player_id": "player-42",
                 *       "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802"
                 *     }
                 */
                "application/json": components["schemas"]["CashBackPrizeRequest"];
            };
        };
        responses: {
            /** @description The decision is recorded. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "message": "Cashback decision recorded"
                     *     }
                     */
                    "application/json": components["schemas"]["RecordedCashback"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid` or `idempotency_key_required`. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Missing or invalid player_id or prize_id"
                     *     }
                     */
                    "application/json": components["schemas"]["CashBackPrizeBadRequestError"];
                };
            };
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused` or `api_key_scope_missing`. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Invalid or missing API key"
                     *     }
                     */
                    "application/json": components["schemas"]["CashBackPrizeUnauthorizedError"];
                };
            };
            /** @description Not Found. `X-Error-Code` is `prize_unknown` or `prize_not_owned` or `prize_not_cashable`. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Prize not found or unavailable for cashback"
                     *     }
                     */
                    "application/json": components["schemas"]["CashBackPrizeNotFoundError"];
                };
            };
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Request body too large"
                     *     }
                     */
                    "application/json": components["schemas"]["CashBackPrizePayloadTooLargeError"];
                };
            };
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "This Idempotency-Key was used for a different request"
                     *     }
                     */
                    "application/json": components["schemas"]["CashBackPrizeUnprocessableEntityError"];
                };
            };
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "Too many attempts with invalid API keys, try again later"
                     *     }
                     */
                    "application/json": components["schemas"]["CashBackPrizeTooManyRequestsError"];
                };
            };
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "An error occurred while recording the cashback decision."
                     *     }
                     */
                    "application/json": components["schemas"]["CashBackPrizeInternalServerError"];
                };
            };
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "X-Error-Code": components["headers"]["X-Error-Code"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "message": "The service is overloaded, try again later"
                     *     }
                     */
                    "application/json": components["schemas"]["CashBackPrizeServiceUnavailableError"];
                };
            };
        };
    };
    listOpenBoxes: {
        parameters: {
            query?: {
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example ZGFpbHk
                 */
                cursor?: string;
                /**
                 * @description The player, in the caller’s own words.
                 * @example player-42
                 */
                player_id?: string | number;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the caller has: 304 when it is still the same.
                 * @example "q7J3fFh0Jb7vDk1o8sYqk0o8L0d9S3c2VqC1uXo4m5E"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The boxes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": "daily",
                     *           "name": "Daily box",
                     *           "description": "One opening a day",
                     *           "image": null,
                     *           "version": 3,
                     *           "odds_hash": "17488769a9d22b463b2a9f4f6c96c0cd1a1b5ea4c9e62b3e517747a6239851c9",
                     *           "access": "limited",
                     *           "limit": {
                     *             "count": 1,
                     *             "period": "day",
                     *             "time_zone": "Europe/Malta"
                     *           },
                     *           "active_until": "2030-12-31T23:59:59Z",
                     *           "prizes": [
                     *             {
                     *               "id": "mug",
                     *               "name": "Mug",
                     *               "kind": "physical",
                     *               "description": "A blue mug",
                     *               "image": "https://cdn.example.com/mug.png",
                     *               "cashback": {
                     *                 "amount_minor": 500,
                     *                 "currency": "EUR"
                     *               },
                     *               "claim_days": 30,
                     *               "odds": {
                     *                 "numerator": 1,
                     *                 "denominator": 10,
                     *                 "percentage": 10
                     *               },
                     *               "position": 1,
                     *               "available": true
                     *             }
                     *           ],
                     *           "fallback": {
                     *             "id": "spins",
                     *             "name": "10 free spins",
                     *             "kind": "bonus",
                     *             "description": null,
                     *             "image": null,
                     *             "cashback": null,
                     *             "claim_days": 30,
                     *             "odds": {
                     *               "numerator": 9,
                     *               "denominator": 10,
                     *               "percentage": 90
                     *             }
                     *           },
                     *           "player": {
                     *             "can_open": true,
                     *             "openings_left": 1,
                     *             "resets_at": "2030-02-01T00:00:00.000Z",
                     *             "expires_at": null
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "ZGFpbHk"
                     *     }
                     */
                    "application/json": components["schemas"]["CatalogueBoxPage"];
                };
            };
            /** @description As it was: the caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOpenBox: {
        parameters: {
            query?: {
                /**
                 * @description The player, in the caller’s own words.
                 * @example player-42
                 */
                player_id?: string | number;
            };
            header?: {
                /**
                 * @description The `ETag` of an answer that the caller has: 304 when it is still the same.
                 * @example "q7J3fFh0Jb7vDk1o8sYqk0o8L0d9S3c2VqC1uXo4m5E"
                 */
                "If-None-Match"?: string;
            };
            path: {
                /**
                 * @description The box.
                 * @example daily
                 */
                box_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The box. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "daily",
                     *         "name": "Daily box",
                     *         "description": "One opening a day",
                     *         "image": null,
                     *         "version": 3,
                     *         "odds_hash": "17488769a9d22b463b2a9f4f6c96c0cd1a1b5ea4c9e62b3e517747a6239851c9",
                     *         "access": "limited",
                     *         "limit": {
                     *           "count": 1,
                     *           "period": "day",
                     *           "time_zone": "Europe/Malta"
                     *         },
                     *         "active_until": "2030-12-31T23:59:59Z",
                     *         "prizes": [
                     *           {
                     *             "id": "mug",
                     *             "name": "Mug",
                     *             "kind": "physical",
                     *             "description": "A blue mug",
                     *             "image": "https://cdn.example.com/mug.png",
                     *             "cashback": {
                     *               "amount_minor": 500,
                     *               "currency": "EUR"
                     *             },
                     *             "claim_days": 30,
                     *             "odds": {
                     *               "numerator": 1,
                     *               "denominator": 10,
                     *               "percentage": 10
                     *             },
                     *             "position": 1,
                     *             "available": true
                     *           }
                     *         ],
                     *         "fallback": {
                     *           "id": "spins",
                     *           "name": "10 free spins",
                     *           "kind": "bonus",
                     *           "description": null,
                     *           "image": null,
                     *           "cashback": null,
                     *           "claim_days": 30,
                     *           "odds": {
                     *             "numerator": 9,
                     *             "denominator": 10,
                     *             "percentage": 90
                     *           }
                     *         },
                     *         "player": {
                     *           "can_open": true,
                     *           "openings_left": 1,
                     *           "resets_at": "2030-02-01T00:00:00.000Z",
                     *           "expires_at": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CatalogueBoxResponse"];
                };
            };
            /** @description As it was: the caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `box_unknown` or `box_closed` or `box_sold_out`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSeeds: {
        parameters: {
            query?: {
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example c2VkXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA2
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The seeds, the newest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": "sed_01b977d7aa0076a1b2c3d4e5f6071806",
                     *           "state": "revealed",
                     *           "scheme": "hmac-sha256-v1",
                     *           "commitment": "bbd2b7b50d41bcf17cc26f1eaec510397970a8b451c60361b52b663af9b07c45",
                     *           "seed": "61a89c5ddefa4a7bcb0167bf8d399a819a8fd6cdaa636b59cd87bdd972725b0f",
                     *           "created_at": "2030-01-30T00:00:00.000Z",
                     *           "activated_at": "2030-01-31T00:00:00.000Z",
                     *           "retired_at": "2030-02-01T00:00:00.000Z",
                     *           "reveal_by": "2030-02-01T00:05:00.000Z",
                     *           "revealed_at": "2030-02-01T00:00:30.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "c2VkXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA2"
                     *     }
                     */
                    "application/json": components["schemas"]["SeedPage"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOpeningEvidence: {
        parameters: {
            query?: {
                /**
                 * @description The server seed.
                 * @example sed_01b977d7aa0076a1b2c3d4e5f6071806
                 */
                seed_id?: string;
                /**
                 * @description The player, in the caller’s own words.
                 * @example player-42
                 */
                player_id?: string | number;
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example c2VkXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA2IG9wbl8wMWI5NzdkN2FhMDA3NmExYjJjM2Q0ZTVmNjA3MTgwMSA3
                 */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The openings. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "scheme": "hmac-sha256-v1",
                     *           "id": "opn_01b977d7aa0076a1b2c3d4e5f6071801",
                     *           "casino_id": "acme",
                     *           "player_id": "player-42",
                     *           "sequence": 7,
                     *           "box_id": "daily",
                     *           "box_version": 3,
                     *           "odds_table": "{\"entries\":[{\"item_id\":\"mug\",\"stock\":10,\"weight\":10},{\"item_id\":\"spins\",\"stock\":null,\"weight\":90}],\"fallback_item_id\":\"spins\"}",
                     *           "odds_hash": "17488769a9d22b463b2a9f4f6c96c0cd1a1b5ea4c9e62b3e517747a6239851c9",
                     *           "seed_id": "sed_01b977d7aa0076a1b2c3d4e5f6071806",
                     *           "seed_commitment": "bbd2b7b50d41bcf17cc26f1eaec510397970a8b451c60361b52b663af9b07c45",
                     *           "seed": "61a89c5ddefa4a7bcb0167bf8d399a819a8fd6cdaa636b59cd87bdd972725b0f",
                     *           "nonce": 3,
                     *           "client_seed": "my lucky words",
                     *           "position": 1,
                     *           "item_id": "mug",
                     *           "substituted_for": null,
                     *           "forced": false,
                     *           "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *           "opened_at": "2030-01-31T12:00:00.000Z",
                     *           "signing_key": "f3fc3797871a78c73f9364623f8208d8450635a77a72981980fa88fc724026d5",
                     *           "digests": {
                     *             "box_id": "4f900020d5906a293c53be82ab4d30bf",
                     *             "box_version": "aec827ed43871c69683d36e83b32edca",
                     *             "casino_id": "fce0dfcd87c225bc8be1ea6e39c841b5",
                     *             "client_seed": "56f8864736a37ea88e87d846452ae8cc",
                     *             "forced": "08ad9f9ac555a4c252f95c9cabc0fa00",
                     *             "id": "72bcad9c1bb9006377bea77383e1958c",
                     *             "item_id": "39599bffc96c045f39b398142275c1e8",
                     *             "nonce": "40c2cea79c933956ec92b325da701b02",
                     *             "odds_hash": "8fa0e7665e0331f30517658758a1ace7",
                     *             "odds_table": "a40690a1b4791f4cf2d645225ddc825d",
                     *             "opened_at": "bf7ee4bdca66487823cfb2bdafbb9a4d",
                     *             "player_id": "6687bc3cbbd1f493a0cefd8930312dda",
                     *             "position": "c2ee3e3fd03959e2c6ee9130b510e9e9",
                     *             "prize_id": "d14de20993969a13e6ae4174d93f0bac",
                     *             "scheme": "fcd889fcfb244c0169d2ecfd7aa35b83",
                     *             "seed": "55cdeab4990838963a6d3a9d0e670273",
                     *             "seed_commitment": "c827f27085489e7b2e28b23124a23560",
                     *             "seed_id": "9ef2546dddc8ec21e17c7b537fd00523",
                     *             "sequence": "a3f8fcb3fd35d7500a43223906ef0ecc",
                     *             "signing_key": "f6b268573ab3e693e1bbb7fa439f1b6a",
                     *             "substituted_for": "cbb53c8c7525d196d0ffeccdc1221900"
                     *           },
                     *           "signature": "ddd7141ffa25e26a204abfc4edd988370897415004249b5a354aefeb0e24a7d04a7ea0334e2799d87e6fc6caec7f63f78c1f29515386cd0b9a53c3e4223e2b09"
                     *         }
                     *       ],
                     *       "next_cursor": "c2VkXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA2IG9wbl8wMWI5NzdkN2FhMDA3NmExYjJjM2Q0ZTVmNjA3MTgwMSA3"
                     *     }
                     */
                    "application/json": components["schemas"]["OpeningEvidencePage"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOpeningEvidence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The opening that the prize was won by.
                 * @example opn_01b977d7aa0076a1b2c3d4e5f6071801
                 */
                opening_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The opening. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "scheme": "hmac-sha256-v1",
                     *         "id": "opn_01b977d7aa0076a1b2c3d4e5f6071801",
                     *         "casino_id": "acme",
                     *         "player_id": "player-42",
                     *         "sequence": 7,
                     *         "box_id": "daily",
                     *         "box_version": 3,
                     *         "odds_table": "{\"entries\":[{\"item_id\":\"mug\",\"stock\":10,\"weight\":10},{\"item_id\":\"spins\",\"stock\":null,\"weight\":90}],\"fallback_item_id\":\"spins\"}",
                     *         "odds_hash": "17488769a9d22b463b2a9f4f6c96c0cd1a1b5ea4c9e62b3e517747a6239851c9",
                     *         "seed_id": "sed_01b977d7aa0076a1b2c3d4e5f6071806",
                     *         "seed_commitment": "bbd2b7b50d41bcf17cc26f1eaec510397970a8b451c60361b52b663af9b07c45",
                     *         "seed": "61a89c5ddefa4a7bcb0167bf8d399a819a8fd6cdaa636b59cd87bdd972725b0f",
                     *         "nonce": 3,
                     *         "client_seed": "my lucky words",
                     *         "position": 1,
                     *         "item_id": "mug",
                     *         "substituted_for": null,
                     *         "forced": false,
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "opened_at": "2030-01-31T12:00:00.000Z",
                     *         "signing_key": "f3fc3797871a78c73f9364623f8208d8450635a77a72981980fa88fc724026d5",
                     *         "digests": {
                     *           "box_id": "4f900020d5906a293c53be82ab4d30bf",
                     *           "box_version": "aec827ed43871c69683d36e83b32edca",
                     *           "casino_id": "fce0dfcd87c225bc8be1ea6e39c841b5",
                     *           "client_seed": "56f8864736a37ea88e87d846452ae8cc",
                     *           "forced": "08ad9f9ac555a4c252f95c9cabc0fa00",
                     *           "id": "72bcad9c1bb9006377bea77383e1958c",
                     *           "item_id": "39599bffc96c045f39b398142275c1e8",
                     *           "nonce": "40c2cea79c933956ec92b325da701b02",
                     *           "odds_hash": "8fa0e7665e0331f30517658758a1ace7",
                     *           "odds_table": "a40690a1b4791f4cf2d645225ddc825d",
                     *           "opened_at": "bf7ee4bdca66487823cfb2bdafbb9a4d",
                     *           "player_id": "6687bc3cbbd1f493a0cefd8930312dda",
                     *           "position": "c2ee3e3fd03959e2c6ee9130b510e9e9",
                     *           "prize_id": "d14de20993969a13e6ae4174d93f0bac",
                     *           "scheme": "fcd889fcfb244c0169d2ecfd7aa35b83",
                     *           "seed": "55cdeab4990838963a6d3a9d0e670273",
                     *           "seed_commitment": "c827f27085489e7b2e28b23124a23560",
                     *           "seed_id": "9ef2546dddc8ec21e17c7b537fd00523",
                     *           "sequence": "a3f8fcb3fd35d7500a43223906ef0ecc",
                     *           "signing_key": "f6b268573ab3e693e1bbb7fa439f1b6a",
                     *           "substituted_for": "cbb53c8c7525d196d0ffeccdc1221900"
                     *         },
                     *         "signature": "ddd7141ffa25e26a204abfc4edd988370897415004249b5a354aefeb0e24a7d04a7ea0334e2799d87e6fc6caec7f63f78c1f29515386cd0b9a53c3e4223e2b09"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OpeningEvidenceResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `opening_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getClientSeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The player, in the caller’s own words.
                 * @example player-42
                 */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client seed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "player_id": "player-42",
                     *         "client_seed": "my lucky words",
                     *         "applies_from": "active",
                     *         "in_force": {
                     *           "seed_id": "sed_01b977d7aa0076a1b2c3d4e5f6071806",
                     *           "client_seed": "my lucky words"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ClientSeedResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setClientSeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The player, in the caller’s own words.
                 * @example player-42
                 */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "client_seed": "my lucky words"
                 *     }
                 */
                "application/json": components["schemas"]["SetClientSeedRequest"];
            };
        };
        responses: {
            /** @description The client seed. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "player_id": "player-42",
                     *         "client_seed": "my lucky words",
                     *         "applies_from": "active",
                     *         "in_force": {
                     *           "seed_id": "sed_01b977d7aa0076a1b2c3d4e5f6071806",
                     *           "client_seed": "my lucky words"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ClientSeedResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reportShipment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                 *       "shipment_number": 1,
                 *       "status": "shipped",
                 *       "reason": null,
                 *       "carrier": "DHL",
                 *       "tracking_number": "JD0123456789",
                 *       "occurred_at": "2030-01-31T12:00:00.000Z"
                 *     }
                 */
                "application/json": components["schemas"]["ReportShipmentRequest"];
            };
        };
        responses: {
            /** @description The news is kept. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success"
                     *     }
                     */
                    "application/json": components["schemas"]["ReportShipmentResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `signature_invalid`. */
            401: components["responses"]["Unauthorized"];
            /** @description Not Found. `X-Error-Code` is `order_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Too Many Requests. `X-Error-Code` is `signature_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCasinos: {
        parameters: {
            query?: {
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example YWNtZQ
                 */
                cursor?: string;
                /**
                 * @description Upwards or downwards, by their ids.
                 * @example asc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Only what was made at this time or later.
                 * @example 2030-01-01T00:00:00Z
                 */
                created_from?: string;
                /**
                 * @description Only what was made before this time.
                 * @example 2030-02-01T00:00:00Z
                 */
                created_until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The casinos. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "casino_id": "acme",
                     *           "name": "Acme Casino",
                     *           "sandbox_of": null,
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "updated_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "YWNtZQ"
                     *     }
                     */
                    "application/json": components["schemas"]["CasinoPage"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCasino: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The casino. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "casino_id": "acme",
                     *         "name": "Acme Casino",
                     *         "sandbox_of": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CasinoResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putCasino: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme Casino"
                 *     }
                 */
                "application/json": components["schemas"]["PutCasinoRequest"];
            };
        };
        responses: {
            /** @description The casino. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "casino_id": "acme",
                     *         "name": "Acme Casino",
                     *         "sandbox_of": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CasinoResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listServiceAudit: {
        parameters: {
            query?: {
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example YXVkXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA4
                 */
                cursor?: string;
                /**
                 * @description Upwards or downwards, by their ids.
                 * @example asc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Only what was made at this time or later.
                 * @example 2030-01-01T00:00:00Z
                 */
                created_from?: string;
                /**
                 * @description Only what was made before this time.
                 * @example 2030-02-01T00:00:00Z
                 */
                created_until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": "aud_01b977d7aa0076a1b2c3d4e5f6071808",
                     *           "at": "2030-01-31T12:00:00.000Z",
                     *           "actor": "key:k3n8x2p5q7r9s1t4",
                     *           "address": "203.0.113.7",
                     *           "action": "POST /admin/casinos/:casino_id/grants",
                     *           "params": {
                     *             "casino_id": "acme"
                     *           },
                     *           "reason": null,
                     *           "request_id": "req_01b977d7aa0076a1b2c3d4e5f6071807",
                     *           "outcome": "200",
                     *           "sequence": 1,
                     *           "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *         }
                     *       ],
                     *       "next_cursor": "YXVkXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA4"
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example YXVkXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA4
                 */
                cursor?: string;
                /**
                 * @description Upwards or downwards, by their ids.
                 * @example asc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Only what was made at this time or later.
                 * @example 2030-01-01T00:00:00Z
                 */
                created_from?: string;
                /**
                 * @description Only what was made before this time.
                 * @example 2030-02-01T00:00:00Z
                 */
                created_until?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": "aud_01b977d7aa0076a1b2c3d4e5f6071808",
                     *           "at": "2030-01-31T12:00:00.000Z",
                     *           "actor": "key:k3n8x2p5q7r9s1t4",
                     *           "address": "203.0.113.7",
                     *           "action": "POST /admin/casinos/:casino_id/grants",
                     *           "params": {
                     *             "casino_id": "acme"
                     *           },
                     *           "reason": null,
                     *           "request_id": "req_01b977d7aa0076a1b2c3d4e5f6071807",
                     *           "outcome": "200",
                     *           "sequence": 1,
                     *           "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *         }
                     *       ],
                     *       "next_cursor": "YXVkXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA4"
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example azNuOHgycDVxN3I5czF0NA
                 */
                cursor?: string;
                /**
                 * @description Upwards or downwards, by their ids.
                 * @example asc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Only what was made at this time or later.
                 * @example 2030-01-01T00:00:00Z
                 */
                created_from?: string;
                /**
                 * @description Only what was made before this time.
                 * @example 2030-02-01T00:00:00Z
                 */
                created_until?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys, without their secrets. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "key_id": "k3n8x2p5q7r9s1t4",
                     *           "name": "production",
                     *           "mode": "live",
                     *           "scopes": [
                     *             "play"
                     *           ],
                     *           "require_idempotency_key": false,
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "expires_at": null,
                     *           "allowed_addresses": [
                     *             "203.0.113.0/24"
                     *           ],
                     *           "created_by": "admin",
                     *           "rotated_from": "k3n8x2p5q7r9s1t4",
                     *           "rotated_by": "admin",
                     *           "revoked_at": null,
                     *           "last_used_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "azNuOHgycDVxN3I5czF0NA"
                     *     }
                     */
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "production",
                 *       "mode": "live",
                 *       "scopes": [
                 *         "play"
                 *       ],
                 *       "require_idempotency_key": false,
                 *       "expires_at": "2030-12-31T23:59:59.000Z",
                 *       "allowed_addresses": [
                 *         "203.0.113.0/24"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "key_id": "k3n8x2p5q7r9s1t4",
                     *         "name": "production",
                     *         "mode": "live",
                     *         "scopes": [
                     *           "play"
                     *         ],
                     *         "require_idempotency_key": false,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "expires_at": null,
                     *         "allowed_addresses": [
                     *           "203.0.113.0/24"
                     *         ],
                     *         "created_by": "admin",
                     *         "rotated_from": "k3n8x2p5q7r9s1t4",
                     *         "rotated_by": "admin",
                     *         "api_key": "rk_live_k3n8x2p5q7r9s1t4_ThisIsAnExampleAndNoKeyOfAnybodyAbc123"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKeyResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `api_key_limit`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The key’s id, which is no secret.
                 * @example k3n8x2p5q7r9s1t4
                 */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key as it is now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "key_id": "k3n8x2p5q7r9s1t4",
                     *         "name": "production",
                     *         "mode": "live",
                     *         "scopes": [
                     *           "play"
                     *         ],
                     *         "require_idempotency_key": false,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "expires_at": null,
                     *         "allowed_addresses": [
                     *           "203.0.113.0/24"
                     *         ],
                     *         "created_by": "admin",
                     *         "rotated_from": "k3n8x2p5q7r9s1t4",
                     *         "rotated_by": "admin",
                     *         "revoked_at": "2030-02-07T12:00:00.000Z",
                     *         "last_used_at": "2030-01-31T12:00:00.000Z",
                     *         "also_revoked": [
                     *           "m5t7v9x1z3b4d6f8"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RevokedApiKeyResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `api_key_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The key’s id, which is no secret.
                 * @example k3n8x2p5q7r9s1t4
                 */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 86400,
                 *       "require_idempotency_key": false,
                 *       "expires_at": "2030-12-31T23:59:59.000Z",
                 *       "allowed_addresses": [
                 *         "203.0.113.0/24"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["RotateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The new key. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "key_id": "k3n8x2p5q7r9s1t4",
                     *         "name": "production",
                     *         "mode": "live",
                     *         "scopes": [
                     *           "play"
                     *         ],
                     *         "require_idempotency_key": false,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "expires_at": null,
                     *         "allowed_addresses": [
                     *           "203.0.113.0/24"
                     *         ],
                     *         "created_by": "admin",
                     *         "rotated_from": "k3n8x2p5q7r9s1t4",
                     *         "rotated_by": "admin",
                     *         "api_key": "rk_live_k3n8x2p5q7r9s1t4_ThisIsAnExampleAndNoKeyOfAnybodyAbc123"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKeyResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing` or `api_key_wider`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `api_key_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `api_key_limit` or `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateSeed: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether this call has rotated. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "rotated": true,
                     *         "retired_seed_id": "sed_01b977d7aa0076a1b2c3d4e5f6071806"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SeedRotationResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid` or `api_key_misplaced` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `quota_exceeded`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All settings. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "name": "wallet",
                     *           "value": {
                     *             "kind": "http",
                     *             "url": "https://wallet.example.com/rewards",
                     *             "timeout_ms": 3000
                     *           },
                     *           "secret_set": true,
                     *           "previous_secret_expires_at": null,
                     *           "paused_at": null,
                     *           "paused_reason": null,
                     *           "updated_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SettingListResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSetting: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The setting.
                 * @example wallet
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The setting. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "name": "wallet",
                     *         "value": {
                     *           "kind": "http",
                     *           "url": "https://wallet.example.com/rewards",
                     *           "timeout_ms": 3000
                     *         },
                     *         "secret_set": true,
                     *         "previous_secret_expires_at": null,
                     *         "paused_at": null,
                     *         "paused_reason": null,
                     *         "updated_at": "2030-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SettingResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `setting_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putSetting: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The setting.
                 * @example wallet
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "kind": "http",
                 *       "url": "https://wallet.example.com/rewards",
                 *       "timeout_ms": 3000
                 *     }
                 */
                "application/json": components["schemas"]["PutSettingRequest"];
            };
        };
        responses: {
            /** @description The setting; with a secret when one was made. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "name": "wallet",
                     *         "value": {
                     *           "kind": "http",
                     *           "url": "https://wallet.example.com/rewards",
                     *           "timeout_ms": 3000
                     *         },
                     *         "secret_set": true,
                     *         "previous_secret_expires_at": null,
                     *         "paused_at": null,
                     *         "paused_reason": null,
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "secret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SavedSettingResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `setting_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testSetting: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The setting.
                 * @example wallet
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "kind": "http",
                 *       "url": "https://wallet.example.com/rewards",
                 *       "timeout_ms": 3000
                 *     }
                 */
                "application/json": components["schemas"]["TestSettingRequest"];
            };
        };
        responses: {
            /** @description What became of the call. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "ok": true,
                     *         "detail": "The partner answered 200"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SettingTestResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `setting_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `setting_unreadable`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resumeSetting: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The setting.
                 * @example wallet
                 */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The setting. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "name": "wallet",
                     *         "value": {
                     *           "kind": "http",
                     *           "url": "https://wallet.example.com/rewards",
                     *           "timeout_ms": 3000
                     *         },
                     *         "secret_set": true,
                     *         "previous_secret_expires_at": null,
                     *         "paused_at": null,
                     *         "paused_reason": null,
                     *         "updated_at": "2030-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SettingResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid` or `api_key_misplaced` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `setting_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The item.
                 * @example mug
                 */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The item. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "item_id": "mug",
                     *         "name": "Mug",
                     *         "kind": "physical",
                     *         "description": "A blue mug",
                     *         "image_url": "https://cdn.example.com/mug.png",
                     *         "cashback": {
                     *           "amount_minor": 500,
                     *           "currency": "EUR"
                     *         },
                     *         "claim_days": 30,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ItemResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `item_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putItem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The item.
                 * @example mug
                 */
                item_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Mug",
                 *       "kind": "physical",
                 *       "description": "A blue mug",
                 *       "image_url": "https://cdn.example.com/mug.png",
                 *       "cashback": {
                 *         "amount_minor": 500,
                 *         "currency": "EUR"
                 *       },
                 *       "claim_days": 30
                 *     }
                 */
                "application/json": components["schemas"]["PutItemRequest"];
            };
        };
        responses: {
            /** @description The item. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "item_id": "mug",
                     *         "name": "Mug",
                     *         "kind": "physical",
                     *         "description": "A blue mug",
                     *         "image_url": "https://cdn.example.com/mug.png",
                     *         "cashback": {
                     *           "amount_minor": 500,
                     *           "currency": "EUR"
                     *         },
                     *         "claim_days": 30,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ItemResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `quota_exceeded`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listItems: {
        parameters: {
            query?: {
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example bXVn
                 */
                cursor?: string;
                /**
                 * @description Upwards or downwards, by their ids.
                 * @example asc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Only what was made at this time or later.
                 * @example 2030-01-01T00:00:00Z
                 */
                created_from?: string;
                /**
                 * @description Only what was made before this time.
                 * @example 2030-02-01T00:00:00Z
                 */
                created_until?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The items. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "item_id": "mug",
                     *           "name": "Mug",
                     *           "kind": "physical",
                     *           "description": "A blue mug",
                     *           "image_url": "https://cdn.example.com/mug.png",
                     *           "cashback": {
                     *             "amount_minor": 500,
                     *             "currency": "EUR"
                     *           },
                     *           "claim_days": 30,
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "updated_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "bXVn"
                     *     }
                     */
                    "application/json": components["schemas"]["ItemPage"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBox: {
        parameters: {
            query?: {
                /**
                 * @description The box’s version.
                 * @example 3
                 */
                version?: number;
            };
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The box.
                 * @example daily
                 */
                box_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current version, or that one, with what is left of its stock. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "box_id": "daily",
                     *         "version": 3,
                     *         "name": "Daily box",
                     *         "description": "One opening a day",
                     *         "image_url": "https://cdn.example.com/mug.png",
                     *         "enabled": true,
                     *         "access": "limited",
                     *         "limit": {
                     *           "count": 1,
                     *           "period": "day",
                     *           "time_zone": "Europe/Malta"
                     *         },
                     *         "active_from": "2030-01-01T00:00:00Z",
                     *         "active_until": "2030-12-31T23:59:59Z",
                     *         "fallback_item_id": "spins",
                     *         "odds_hash": "17488769a9d22b463b2a9f4f6c96c0cd1a1b5ea4c9e62b3e517747a6239851c9",
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "published_at": "2030-01-31T12:00:00.000Z",
                     *         "entries": [
                     *           {
                     *             "item_id": "mug",
                     *             "weight": 10,
                     *             "stock": 10,
                     *             "remaining": 9
                     *           },
                     *           {
                     *             "item_id": "spins",
                     *             "weight": 90,
                     *             "stock": null,
                     *             "remaining": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BoxResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `box_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    publishBox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The box.
                 * @example daily
                 */
                box_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Daily box",
                 *       "description": "One opening a day",
                 *       "access": "limited",
                 *       "limit": {
                 *         "count": 1,
                 *         "period": "day",
                 *         "time_zone": "Europe/Malta"
                 *       },
                 *       "entries": [
                 *         {
                 *           "item_id": "mug",
                 *           "weight": 10,
                 *           "stock": 10
                 *         },
                 *         {
                 *           "item_id": "spins",
                 *           "weight": 90
                 *         }
                 *       ],
                 *       "fallback_item_id": "spins"
                 *     }
                 */
                "application/json": components["schemas"]["PublishBoxRequest"];
            };
        };
        responses: {
            /** @description The box, what became of its stocks, and what may be a mistake. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "box_id": "daily",
                     *         "version": 3,
                     *         "name": "Daily box",
                     *         "description": "One opening a day",
                     *         "image_url": "https://cdn.example.com/mug.png",
                     *         "enabled": true,
                     *         "access": "limited",
                     *         "limit": {
                     *           "count": 1,
                     *           "period": "day",
                     *           "time_zone": "Europe/Malta"
                     *         },
                     *         "active_from": "2030-01-01T00:00:00Z",
                     *         "active_until": "2030-12-31T23:59:59Z",
                     *         "fallback_item_id": "spins",
                     *         "odds_hash": "17488769a9d22b463b2a9f4f6c96c0cd1a1b5ea4c9e62b3e517747a6239851c9",
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "published_at": "2030-01-31T12:00:00.000Z",
                     *         "entries": [
                     *           {
                     *             "item_id": "mug",
                     *             "weight": 10,
                     *             "stock": 10,
                     *             "remaining": 10
                     *           },
                     *           {
                     *             "item_id": "spins",
                     *             "weight": 90,
                     *             "stock": null,
                     *             "remaining": null
                     *           }
                     *         ],
                     *         "unchanged": false,
                     *         "stocks": [
                     *           {
                     *             "entry": 1,
                     *             "item_id": "mug",
                     *             "stock": 10,
                     *             "left_before": 7,
                     *             "carried_over": 7,
                     *             "given_out": 3,
                     *             "remaining": 10
                     *           }
                     *         ],
                     *         "warnings": [
                     *           {
                     *             "code": "runs_out_early",
                     *             "message": "entry 1 is expected to be used up before active_until",
                     *             "name": "entries.0.stock"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PublishedBoxResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `quota_exceeded` or `box_version_conflict`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listBoxes: {
        parameters: {
            query?: {
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example ZGFpbHk
                 */
                cursor?: string;
                /**
                 * @description Upwards or downwards, by their ids.
                 * @example asc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Only what was made at this time or later.
                 * @example 2030-01-01T00:00:00Z
                 */
                created_from?: string;
                /**
                 * @description Only what was made before this time.
                 * @example 2030-02-01T00:00:00Z
                 */
                created_until?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The current versions, without entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "box_id": "daily",
                     *           "version": 3,
                     *           "name": "Daily box",
                     *           "description": "One opening a day",
                     *           "image_url": "https://cdn.example.com/mug.png",
                     *           "enabled": true,
                     *           "access": "limited",
                     *           "limit": {
                     *             "count": 1,
                     *             "period": "day",
                     *             "time_zone": "Europe/Malta"
                     *           },
                     *           "active_from": "2030-01-01T00:00:00Z",
                     *           "active_until": "2030-12-31T23:59:59Z",
                     *           "fallback_item_id": "spins",
                     *           "odds_hash": "17488769a9d22b463b2a9f4f6c96c0cd1a1b5ea4c9e62b3e517747a6239851c9",
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "published_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "ZGFpbHk"
                     *     }
                     */
                    "application/json": components["schemas"]["BoxSummaryPage"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    simulateBox: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The box.
                 * @example daily
                 */
                box_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Daily box",
                 *       "description": "One opening a day",
                 *       "access": "limited",
                 *       "limit": {
                 *         "count": 1,
                 *         "period": "day",
                 *         "time_zone": "Europe/Malta"
                 *       },
                 *       "entries": [
                 *         {
                 *           "item_id": "mug",
                 *           "weight": 10,
                 *           "stock": 10
                 *         },
                 *         {
                 *           "item_id": "spins",
                 *           "weight": 90
                 *         }
                 *       ],
                 *       "fallback_item_id": "spins",
                 *       "draws": 10000,
                 *       "openings_per_day": 500
                 *     }
                 */
                "application/json": components["schemas"]["SimulateBoxRequest"];
            };
        };
        responses: {
            /** @description The report. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "box_id": "daily",
                     *         "version": 3,
                     *         "odds_hash": "17488769a9d22b463b2a9f4f6c96c0cd1a1b5ea4c9e62b3e517747a6239851c9",
                     *         "warnings": [
                     *           {
                     *             "code": "runs_out_early",
                     *             "message": "entry 1 is expected to be used up before active_until",
                     *             "name": "entries.0.stock"
                     *           }
                     *         ],
                     *         "items": [
                     *           {
                     *             "item_id": "mug",
                     *             "name": "Mug",
                     *             "odds": {
                     *               "numerator": 1,
                     *               "denominator": 10,
                     *               "percentage": 10
                     *             }
                     *           }
                     *         ],
                     *         "cost_per_opening": [
                     *           {
                     *             "currency": "EUR",
                     *             "amount_minor": "50"
                     *           }
                     *         ],
                     *         "cost_when_used_up": [],
                     *         "first_run_out": {
                     *           "entry": 1,
                     *           "item_id": "mug",
                     *           "stock": 10,
                     *           "expected_openings": "100",
                     *           "standard_deviation": "30",
                     *           "expected_days": "0.2",
                     *           "expected_at": "2030-01-31T16:48:00.000Z"
                     *         },
                     *         "run_outs": [
                     *           {
                     *             "entry": 1,
                     *             "item_id": "mug",
                     *             "stock": 10,
                     *             "expected_openings": "100",
                     *             "standard_deviation": "30",
                     *             "expected_days": "0.2",
                     *             "expected_at": "2030-01-31T16:48:00.000Z"
                     *           }
                     *         ],
                     *         "simulation": {
                     *           "draws": 10000,
                     *           "seed": "61a89c5ddefa4a7bcb0167bf8d399a819a8fd6cdaa636b59cd87bdd972725b0f",
                     *           "entries": [
                     *             {
                     *               "entry": 1,
                     *               "item_id": "mug",
                     *               "weight": 10,
                     *               "expected": 1000,
                     *               "observed": 987
                     *             }
                     *           ],
                     *           "chi_square": 0.19,
                     *           "degrees_of_freedom": 1,
                     *           "p_value": 0.66
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BoxReportResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `box_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    enableBox: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The box.
                 * @example daily
                 */
                box_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The box. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "box_id": "daily",
                     *         "version": 3,
                     *         "name": "Daily box",
                     *         "description": "One opening a day",
                     *         "image_url": "https://cdn.example.com/mug.png",
                     *         "enabled": true,
                     *         "access": "limited",
                     *         "limit": {
                     *           "count": 1,
                     *           "period": "day",
                     *           "time_zone": "Europe/Malta"
                     *         },
                     *         "active_from": "2030-01-01T00:00:00Z",
                     *         "active_until": "2030-12-31T23:59:59Z",
                     *         "fallback_item_id": "spins",
                     *         "odds_hash": "17488769a9d22b463b2a9f4f6c96c0cd1a1b5ea4c9e62b3e517747a6239851c9",
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "published_at": "2030-01-31T12:00:00.000Z",
                     *         "entries": [
                     *           {
                     *             "item_id": "mug",
                     *             "weight": 10,
                     *             "stock": 10,
                     *             "remaining": 9
                     *           },
                     *           {
                     *             "item_id": "spins",
                     *             "weight": 90,
                     *             "stock": null,
                     *             "remaining": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BoxResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid` or `api_key_misplaced` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `box_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    disableBox: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The box.
                 * @example daily
                 */
                box_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The box. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "box_id": "daily",
                     *         "version": 3,
                     *         "name": "Daily box",
                     *         "description": "One opening a day",
                     *         "image_url": "https://cdn.example.com/mug.png",
                     *         "enabled": false,
                     *         "access": "limited",
                     *         "limit": {
                     *           "count": 1,
                     *           "period": "day",
                     *           "time_zone": "Europe/Malta"
                     *         },
                     *         "active_from": "2030-01-01T00:00:00Z",
                     *         "active_until": "2030-12-31T23:59:59Z",
                     *         "fallback_item_id": "spins",
                     *         "odds_hash": "17488769a9d22b463b2a9f4f6c96c0cd1a1b5ea4c9e62b3e517747a6239851c9",
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "published_at": "2030-01-31T12:00:00.000Z",
                     *         "entries": [
                     *           {
                     *             "item_id": "mug",
                     *             "weight": 10,
                     *             "stock": 10,
                     *             "remaining": 9
                     *           },
                     *           {
                     *             "item_id": "spins",
                     *             "weight": 90,
                     *             "stock": null,
                     *             "remaining": null
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["BoxResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid` or `api_key_misplaced` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `box_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createGrants: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "grants": [
                 *         {
                 *           "player_id": "player-42",
                 *           "box_id": "daily",
                 *           "count": 1,
                 *           "grant_id": "welcome-player-42",
                 *           "expires_at": "2030-12-31T23:59:59.000Z"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateGrantsRequest"];
            };
        };
        responses: {
            /** @description The grants, in the order of the request. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "grant_id": "welcome-player-42",
                     *           "box_id": "daily",
                     *           "count": 1,
                     *           "used": 0,
                     *           "expires_at": "2030-12-31T23:59:59.000Z",
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "player_id": "player-42"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GrantListResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `box_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `grant_conflict` or `quota_exceeded`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    givePrize: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "player_id": "player-42",
                 *       "item_id": "mug",
                 *       "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802"
                 *     }
                 */
                "application/json": components["schemas"]["GivePrizeRequest"];
            };
        };
        responses: {
            /** @description The prize, which the player has already. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "player_id": "player-42",
                     *         "item_id": "mug",
                     *         "name": "Mug",
                     *         "kind": "physical",
                     *         "cashback": {
                     *           "amount_minor": 500,
                     *           "currency": "EUR"
                     *         },
                     *         "state": "won",
                     *         "opening_id": null,
                     *         "expires_at": "2030-12-31T23:59:59.000Z",
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PrizeResponse"];
                };
            };
            /** @description The prize. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "player_id": "player-42",
                     *         "item_id": "mug",
                     *         "name": "Mug",
                     *         "kind": "physical",
                     *         "cashback": {
                     *           "amount_minor": 500,
                     *           "currency": "EUR"
                     *         },
                     *         "state": "won",
                     *         "opening_id": null,
                     *         "expires_at": "2030-12-31T23:59:59.000Z",
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PrizeResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `item_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `prize_exists` or `quota_exceeded`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPrize: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The prize.
                 * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
                 */
                prize_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prize. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "player_id": "player-42",
                     *         "item_id": "mug",
                     *         "name": "Mug",
                     *         "kind": "physical",
                     *         "cashback": {
                     *           "amount_minor": 500,
                     *           "currency": "EUR"
                     *         },
                     *         "state": "ordered",
                     *         "opening_id": "opn_01b977d7aa0076a1b2c3d4e5f6071801",
                     *         "expires_at": "2030-12-31T23:59:59.000Z",
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "orders": [
                     *           {
                     *             "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *             "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *             "item_id": "mug",
                     *             "item_name": "Mug",
                     *             "player_id": "player-42",
                     *             "state": "pending_confirmation",
                     *             "provider": null,
                     *             "carrier": null,
                     *             "tracking_number": null,
                     *             "shipment_number": 1,
                     *             "exception_reason": null,
                     *             "holds": [],
                     *             "reminders_sent": 0,
                     *             "problem": null,
                     *             "created_at": "2030-01-31T12:00:00.000Z",
                     *             "updated_at": "2030-01-31T12:00:00.000Z",
                     *             "ended_at": null
                     *           }
                     *         ],
                     *         "cashbacks": [],
                     *         "history": [
                     *           {
                     *             "type": "prize.won",
                     *             "object_type": "prize",
                     *             "object_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *             "sequence": 1,
                     *             "from": null,
                     *             "to": "won",
                     *             "actor": "key:k3n8x2p5q7r9s1t4",
                     *             "reason": null,
                     *             "request_id": "req_01b977d7aa0076a1b2c3d4e5f6071807",
                     *             "at": "2030-01-31T12:00:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PrizeDetailsResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `prize_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    voidPrize: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The prize.
                 * @example prz_01b977d7aa0076a1b2c3d4e5f6071802
                 */
                prize_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Checked by phone"
                 *     }
                 */
                "application/json": components["schemas"]["VoidPrizeRequest"];
            };
        };
        responses: {
            /** @description The prize, voided. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "player_id": "player-42",
                     *         "item_id": "mug",
                     *         "name": "Mug",
                     *         "kind": "physical",
                     *         "cashback": {
                     *           "amount_minor": 500,
                     *           "currency": "EUR"
                     *         },
                     *         "state": "voided",
                     *         "opening_id": "opn_01b977d7aa0076a1b2c3d4e5f6071801",
                     *         "expires_at": "2030-12-31T23:59:59.000Z",
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PrizeResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `prize_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPlayerPrizes: {
        parameters: {
            query?: {
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example cHJ6XzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODAy
                 */
                cursor?: string;
                /**
                 * @description Upwards or downwards, by their ids.
                 * @example asc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Only what was made at this time or later.
                 * @example 2030-01-01T00:00:00Z
                 */
                created_from?: string;
                /**
                 * @description Only what was made before this time.
                 * @example 2030-02-01T00:00:00Z
                 */
                created_until?: string;
                /**
                 * @description Where it stands.
                 * @example won
                 */
                state?: "won" | "ordered" | "fulfilled" | "cashback_pending" | "cashed_back" | "expired" | "voided";
            };
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The player, in the caller’s own words.
                 * @example player-42
                 */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The prizes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *           "player_id": "player-42",
                     *           "item_id": "mug",
                     *           "name": "Mug",
                     *           "kind": "physical",
                     *           "cashback": {
                     *             "amount_minor": 500,
                     *             "currency": "EUR"
                     *           },
                     *           "state": "won",
                     *           "opening_id": "opn_01b977d7aa0076a1b2c3d4e5f6071801",
                     *           "expires_at": "2030-12-31T23:59:59.000Z",
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "updated_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "cHJ6XzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODAy"
                     *     }
                     */
                    "application/json": components["schemas"]["PrizePage"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPlayerGrants: {
        parameters: {
            query?: {
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example d2VsY29tZS1wbGF5ZXItNDI
                 */
                cursor?: string;
                /**
                 * @description Upwards or downwards, by their ids.
                 * @example asc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Only what was made at this time or later.
                 * @example 2030-01-01T00:00:00Z
                 */
                created_from?: string;
                /**
                 * @description Only what was made before this time.
                 * @example 2030-02-01T00:00:00Z
                 */
                created_until?: string;
                /**
                 * @description The box.
                 * @example daily
                 */
                box_id?: string | number;
            };
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The player, in the caller’s own words.
                 * @example player-42
                 */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The grants. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "grant_id": "welcome-player-42",
                     *           "box_id": "daily",
                     *           "count": 1,
                     *           "used": 0,
                     *           "expires_at": "2030-12-31T23:59:59.000Z",
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "player_id": "player-42"
                     *         }
                     *       ],
                     *       "next_cursor": "d2VsY29tZS1wbGF5ZXItNDI"
                     *     }
                     */
                    "application/json": components["schemas"]["GrantPage"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPlayerBalance: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The player, in the caller’s own words.
                 * @example player-42
                 */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Credited cashback by currency. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "player_id": "player-42",
                     *         "balances": [
                     *           {
                     *             "currency": "EUR",
                     *             "amount_minor": 500
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerBalanceResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    erasePlayer: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The player, in the caller’s own words.
                 * @example player-42
                 */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Checked by phone"
                 *     }
                 */
                "application/json": components["schemas"]["ErasePlayerRequest"];
            };
        };
        responses: {
            /** @description What was erased, and what waits. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "player_id": "player-42",
                     *         "erased_orders": 2,
                     *         "waiting_order_ids": [
                     *           "ord_01b977d7aa0076a1b2c3d4e5f6071803"
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ErasureResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The player, in the caller’s own words.
                 * @example player-42
                 */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["ExportPlayerRequest"];
            };
        };
        responses: {
            /** @description The export. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "player_id": "player-42",
                     *         "complete": true,
                     *         "first_seen_at": "2030-01-31T12:00:00.000Z",
                     *         "erase_requested_at": null,
                     *         "erased_at": null,
                     *         "client_seed": "my lucky words",
                     *         "client_seed_in_use": "my lucky words",
                     *         "balances": [],
                     *         "grants": [
                     *           {
                     *             "grant_id": "welcome-player-42",
                     *             "box_id": "daily",
                     *             "count": 1,
                     *             "used": 0,
                     *             "expires_at": "2030-12-31T23:59:59.000Z",
                     *             "created_at": "2030-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "openings": [
                     *           {
                     *             "opening_id": "opn_01b977d7aa0076a1b2c3d4e5f6071801",
                     *             "box_id": "daily",
                     *             "box_version": 3,
                     *             "item_id": "mug",
                     *             "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *             "grant_id": "welcome-player-42",
                     *             "client_seed": "my lucky words",
                     *             "opened_at": "2030-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "prizes": [
                     *           {
                     *             "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *             "item_id": "mug",
                     *             "item_name": "Mug",
                     *             "kind": "physical",
                     *             "state": "ordered",
                     *             "expires_at": "2030-12-31T23:59:59.000Z",
                     *             "created_at": "2030-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "orders": [
                     *           {
                     *             "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *             "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *             "item_id": "mug",
                     *             "item_name": "Mug",
                     *             "player_id": "player-42",
                     *             "state": "pending_confirmation",
                     *             "provider": null,
                     *             "carrier": null,
                     *             "tracking_number": null,
                     *             "shipment_number": 1,
                     *             "exception_reason": null,
                     *             "holds": [],
                     *             "reminders_sent": 0,
                     *             "problem": null,
                     *             "created_at": "2030-01-31T12:00:00.000Z",
                     *             "updated_at": "2030-01-31T12:00:00.000Z",
                     *             "ended_at": null,
                     *             "delivery": {
                     *               "recipient_name": "Ada Lovelace",
                     *               "street": "350 Fifth Avenue",
                     *               "city": "New York",
                     *               "postal_code": "10118",
                     *               "country": "United States",
                     *               "state": "New York",
                     *               "phone_number": "+1 212 555 0123",
                     *               "email": "ada@example.com",
                     *               "additional_notes": "Ring twice."
                     *             },
                     *             "provider_reference": "prv-20300131-77"
                     *           }
                     *         ],
                     *         "news": [
                     *           {
                     *             "news_id": "news-1",
                     *             "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *             "shipment_number": 1,
                     *             "status": "shipped",
                     *             "reason": null,
                     *             "carrier": "DHL",
                     *             "tracking_number": "JD0123456789",
                     *             "occurred_at": "2030-01-31T12:00:00.000Z",
                     *             "received_at": "2030-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "cashbacks": [],
                     *         "wallet_answers": [
                     *           {
                     *             "cashback_id": "cbk_01b977d7aa0076a1b2c3d4e5f6071804",
                     *             "operation": "credit",
                     *             "transaction_id": "txn_cbk_01b977d7aa0076a1b2c3d4e5f6071804",
                     *             "wallet_id": "a3f1c09b7d2e4456a3f1c09b7d2e4456",
                     *             "attempt": 1,
                     *             "outcome": "credited",
                     *             "decline_code": "player_blocked",
                     *             "amount_minor": 500,
                     *             "currency": "EUR",
                     *             "wallet_reference": "booking-20300131-77",
                     *             "contradicts": false,
                     *             "received_at": "2030-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "ledger_entries": [],
                     *         "history": [
                     *           {
                     *             "type": "prize.won",
                     *             "object_type": "prize",
                     *             "object_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *             "sequence": 1,
                     *             "from": null,
                     *             "to": "won",
                     *             "actor": "key:k3n8x2p5q7r9s1t4",
                     *             "reason": null,
                     *             "request_id": "req_01b977d7aa0076a1b2c3d4e5f6071807",
                     *             "at": "2030-01-31T12:00:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerExportResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example b3JkXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODAz
                 */
                cursor?: string;
                /**
                 * @description Upwards or downwards, by their ids.
                 * @example asc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Only what was made at this time or later.
                 * @example 2030-01-01T00:00:00Z
                 */
                created_from?: string;
                /**
                 * @description Only what was made before this time.
                 * @example 2030-02-01T00:00:00Z
                 */
                created_until?: string;
                /**
                 * @description Where it stands.
                 * @example pending_confirmation
                 */
                state?: "pending_confirmation" | "confirmed" | "rejected" | "cancelled" | "submitted" | "processing" | "shipped" | "delivered" | "exception" | "cancel_requested";
                /**
                 * @description The player, in the caller’s own words.
                 * @example player-42
                 */
                player_id?: string | number;
                /**
                 * @description Whether a hold is open.
                 * @example true
                 */
                held?: boolean;
            };
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The orders, without delivery details. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *           "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *           "item_id": "mug",
                     *           "item_name": "Mug",
                     *           "player_id": "player-42",
                     *           "state": "pending_confirmation",
                     *           "provider": null,
                     *           "carrier": null,
                     *           "tracking_number": null,
                     *           "shipment_number": 1,
                     *           "exception_reason": null,
                     *           "holds": [],
                     *           "reminders_sent": 0,
                     *           "problem": null,
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "updated_at": "2030-01-31T12:00:00.000Z",
                     *           "ended_at": null
                     *         }
                     *       ],
                     *       "next_cursor": "b3JkXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODAz"
                     *     }
                     */
                    "application/json": components["schemas"]["OrderPage"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The order.
                 * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order, with its delivery details until they are erased. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "item_id": "mug",
                     *         "item_name": "Mug",
                     *         "player_id": "player-42",
                     *         "state": "pending_confirmation",
                     *         "provider": null,
                     *         "carrier": null,
                     *         "tracking_number": null,
                     *         "shipment_number": 1,
                     *         "exception_reason": null,
                     *         "holds": [],
                     *         "reminders_sent": 0,
                     *         "problem": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "ended_at": null,
                     *         "delivery": {
                     *           "recipient_name": "Ada Lovelace",
                     *           "street": "350 Fifth Avenue",
                     *           "city": "New York",
                     *           "postal_code": "10118",
                     *           "country": "United States",
                     *           "state": "New York",
                     *           "phone_number": "+1 212 555 0123",
                     *           "email": "ada@example.com",
                     *           "additional_notes": "Ring twice."
                     *         },
                     *         "history": [
                     *           {
                     *             "type": "prize.won",
                     *             "object_type": "prize",
                     *             "object_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *             "sequence": 1,
                     *             "from": null,
                     *             "to": "won",
                     *             "actor": "key:k3n8x2p5q7r9s1t4",
                     *             "reason": null,
                     *             "request_id": "req_01b977d7aa0076a1b2c3d4e5f6071807",
                     *             "at": "2030-01-31T12:00:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderDetailsResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `order_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    correctOrderDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The order.
                 * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "recipient_name": "Ada Lovelace",
                 *       "street": "350 Fifth Avenue",
                 *       "city": "New York",
                 *       "state": "New York",
                 *       "postal_code": "10118",
                 *       "country": "United States",
                 *       "phone_number": "+1 212 555 0123",
                 *       "email": "ada@example.com",
                 *       "additional_notes": "Ring twice.",
                 *       "reason": "The player has moved"
                 *     }
                 */
                "application/json": components["schemas"]["CorrectOrderDeliveryRequest"];
            };
        };
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "item_id": "mug",
                     *         "item_name": "Mug",
                     *         "player_id": "player-42",
                     *         "state": "pending_confirmation",
                     *         "provider": null,
                     *         "carrier": null,
                     *         "tracking_number": null,
                     *         "shipment_number": 1,
                     *         "exception_reason": null,
                     *         "holds": [],
                     *         "reminders_sent": 0,
                     *         "problem": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "ended_at": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `order_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    confirmOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The order.
                 * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Checked by phone"
                 *     }
                 */
                "application/json": components["schemas"]["ConfirmOrderRequest"];
            };
        };
        responses: {
            /** @description The order as the move left it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "item_id": "mug",
                     *         "item_name": "Mug",
                     *         "player_id": "player-42",
                     *         "state": "confirmed",
                     *         "provider": null,
                     *         "carrier": null,
                     *         "tracking_number": null,
                     *         "shipment_number": 1,
                     *         "exception_reason": null,
                     *         "holds": [],
                     *         "reminders_sent": 0,
                     *         "problem": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "ended_at": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `order_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rejectOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The order.
                 * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Checked by phone",
                 *       "return_prize": true
                 *     }
                 */
                "application/json": components["schemas"]["RejectOrderRequest"];
            };
        };
        responses: {
            /** @description The order as the move left it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "item_id": "mug",
                     *         "item_name": "Mug",
                     *         "player_id": "player-42",
                     *         "state": "rejected",
                     *         "provider": null,
                     *         "carrier": null,
                     *         "tracking_number": null,
                     *         "shipment_number": 1,
                     *         "exception_reason": null,
                     *         "holds": [],
                     *         "reminders_sent": 0,
                     *         "problem": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "ended_at": "2030-02-07T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `order_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The order.
                 * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Checked by phone",
                 *       "return_prize": true,
                 *       "final": true
                 *     }
                 */
                "application/json": components["schemas"]["CancelOrderRequest"];
            };
        };
        responses: {
            /** @description The order as the move left it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "item_id": "mug",
                     *         "item_name": "Mug",
                     *         "player_id": "player-42",
                     *         "state": "cancelled",
                     *         "provider": null,
                     *         "carrier": null,
                     *         "tracking_number": null,
                     *         "shipment_number": 1,
                     *         "exception_reason": null,
                     *         "holds": [],
                     *         "reminders_sent": 0,
                     *         "problem": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "ended_at": "2030-02-07T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `order_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resumeOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The order.
                 * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Checked by phone"
                 *     }
                 */
                "application/json": components["schemas"]["ResumeOrderRequest"];
            };
        };
        responses: {
            /** @description The order as the move left it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "item_id": "mug",
                     *         "item_name": "Mug",
                     *         "player_id": "player-42",
                     *         "state": "submitted",
                     *         "provider": "http",
                     *         "carrier": null,
                     *         "tracking_number": null,
                     *         "shipment_number": 1,
                     *         "exception_reason": null,
                     *         "holds": [],
                     *         "reminders_sent": 0,
                     *         "problem": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "ended_at": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `order_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    holdOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The order.
                 * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Checked by phone",
                 *       "hold_reason": "kyc_pending"
                 *     }
                 */
                "application/json": components["schemas"]["HoldOrderRequest"];
            };
        };
        responses: {
            /** @description The order as the move left it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "item_id": "mug",
                     *         "item_name": "Mug",
                     *         "player_id": "player-42",
                     *         "state": "pending_confirmation",
                     *         "provider": null,
                     *         "carrier": null,
                     *         "tracking_number": null,
                     *         "shipment_number": 1,
                     *         "exception_reason": null,
                     *         "holds": [
                     *           "kyc_pending"
                     *         ],
                     *         "reminders_sent": 0,
                     *         "problem": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "ended_at": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `order_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    releaseOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The order.
                 * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Checked by phone",
                 *       "hold_reason": "kyc_pending"
                 *     }
                 */
                "application/json": components["schemas"]["ReleaseOrderRequest"];
            };
        };
        responses: {
            /** @description The order as the move left it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "item_id": "mug",
                     *         "item_name": "Mug",
                     *         "player_id": "player-42",
                     *         "state": "pending_confirmation",
                     *         "provider": null,
                     *         "carrier": null,
                     *         "tracking_number": null,
                     *         "shipment_number": 1,
                     *         "exception_reason": null,
                     *         "holds": [],
                     *         "reminders_sent": 0,
                     *         "problem": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "ended_at": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `order_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    shipOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The order.
                 * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Checked by phone",
                 *       "carrier": "DHL",
                 *       "tracking_number": "JD0123456789"
                 *     }
                 */
                "application/json": components["schemas"]["ShipOrderRequest"];
            };
        };
        responses: {
            /** @description The order as the move left it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "item_id": "mug",
                     *         "item_name": "Mug",
                     *         "player_id": "player-42",
                     *         "state": "shipped",
                     *         "provider": "manual",
                     *         "carrier": "DHL",
                     *         "tracking_number": "JD0123456789",
                     *         "shipment_number": 1,
                     *         "exception_reason": null,
                     *         "holds": [],
                     *         "reminders_sent": 0,
                     *         "problem": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "ended_at": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `order_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deliverOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The order.
                 * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Checked by phone"
                 *     }
                 */
                "application/json": components["schemas"]["DeliverOrderRequest"];
            };
        };
        responses: {
            /** @description The order as the move left it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "item_id": "mug",
                     *         "item_name": "Mug",
                     *         "player_id": "player-42",
                     *         "state": "delivered",
                     *         "provider": "manual",
                     *         "carrier": "DHL",
                     *         "tracking_number": "JD0123456789",
                     *         "shipment_number": 1,
                     *         "exception_reason": null,
                     *         "holds": [],
                     *         "reminders_sent": 0,
                     *         "problem": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "ended_at": "2030-02-07T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `order_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reportOrderException: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The order.
                 * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Checked by phone",
                 *       "exception_reason": "address_invalid"
                 *     }
                 */
                "application/json": components["schemas"]["ReportOrderExceptionRequest"];
            };
        };
        responses: {
            /** @description The order as the move left it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "item_id": "mug",
                     *         "item_name": "Mug",
                     *         "player_id": "player-42",
                     *         "state": "exception",
                     *         "provider": "manual",
                     *         "carrier": "DHL",
                     *         "tracking_number": "JD0123456789",
                     *         "shipment_number": 1,
                     *         "exception_reason": "address_invalid",
                     *         "holds": [],
                     *         "reminders_sent": 0,
                     *         "problem": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "ended_at": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `order_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reshipOrder: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The order.
                 * @example ord_01b977d7aa0076a1b2c3d4e5f6071803
                 */
                order_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Checked by phone"
                 *     }
                 */
                "application/json": components["schemas"]["ReshipOrderRequest"];
            };
        };
        responses: {
            /** @description The order as the move left it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "item_id": "mug",
                     *         "item_name": "Mug",
                     *         "player_id": "player-42",
                     *         "state": "confirmed",
                     *         "provider": null,
                     *         "carrier": null,
                     *         "tracking_number": null,
                     *         "shipment_number": 2,
                     *         "exception_reason": null,
                     *         "holds": [],
                     *         "reminders_sent": 0,
                     *         "problem": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "ended_at": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OrderResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `order_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCashbacks: {
        parameters: {
            query?: {
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example Y2JrXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA0
                 */
                cursor?: string;
                /**
                 * @description Upwards or downwards, by their ids.
                 * @example asc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Only what was made at this time or later.
                 * @example 2030-01-01T00:00:00Z
                 */
                created_from?: string;
                /**
                 * @description Only what was made before this time.
                 * @example 2030-02-01T00:00:00Z
                 */
                created_until?: string;
                /**
                 * @description Where it stands.
                 * @example requested
                 */
                state?: "requested" | "processing" | "credited" | "declined" | "unknown" | "manual_review" | "reversing" | "reversal_unknown" | "reversal_review" | "reversed";
                /**
                 * @description The player, in the caller’s own words.
                 * @example player-42
                 */
                player_id?: string | number;
            };
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cashbacks, the oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "cashback_id": "cbk_01b977d7aa0076a1b2c3d4e5f6071804",
                     *           "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *           "player_id": "player-42",
                     *           "amount_minor": 500,
                     *           "currency": "EUR",
                     *           "state": "requested",
                     *           "wallet": null,
                     *           "attempts": 0,
                     *           "wallet_reference": null,
                     *           "problem": null,
                     *           "reversal_prize": null,
                     *           "debit_attempts": 0,
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "updated_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "Y2JrXzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA0"
                     *     }
                     */
                    "application/json": components["schemas"]["CashbackPage"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCashback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The cashback.
                 * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
                 */
                cashback_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cashback, what wallets have said of it, and its history. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "cashback_id": "cbk_01b977d7aa0076a1b2c3d4e5f6071804",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "player_id": "player-42",
                     *         "amount_minor": 500,
                     *         "currency": "EUR",
                     *         "state": "requested",
                     *         "wallet": null,
                     *         "attempts": 0,
                     *         "wallet_reference": null,
                     *         "problem": null,
                     *         "reversal_prize": null,
                     *         "debit_attempts": 0,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "wallet_answers": [
                     *           {
                     *             "operation": "credit",
                     *             "transaction_id": "txn_cbk_01b977d7aa0076a1b2c3d4e5f6071804",
                     *             "wallet_id": "a3f1c09b7d2e4456a3f1c09b7d2e4456",
                     *             "attempt": 1,
                     *             "outcome": "credited",
                     *             "decline_code": null,
                     *             "amount_minor": 500,
                     *             "currency": "EUR",
                     *             "wallet_reference": "booking-20300131-77",
                     *             "contradicts": false,
                     *             "received_at": "2030-01-31T12:00:00.000Z"
                     *           }
                     *         ],
                     *         "history": [
                     *           {
                     *             "type": "prize.won",
                     *             "object_type": "prize",
                     *             "object_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *             "sequence": 1,
                     *             "from": null,
                     *             "to": "won",
                     *             "actor": "key:k3n8x2p5q7r9s1t4",
                     *             "reason": null,
                     *             "request_id": "req_01b977d7aa0076a1b2c3d4e5f6071807",
                     *             "at": "2030-01-31T12:00:00.000Z"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CashbackDetailsResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `cashback_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    retryCashback: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The cashback.
                 * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
                 */
                cashback_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "Checked by phone"
                 *     }
                 */
                "application/json": components["schemas"]["RetryCashbackRequest"];
            };
        };
        responses: {
            /** @description The cashback as the move left it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "cashback_id": "cbk_01b977d7aa0076a1b2c3d4e5f6071804",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "player_id": "player-42",
                     *         "amount_minor": 500,
                     *         "currency": "EUR",
                     *         "state": "processing",
                     *         "wallet": "http",
                     *         "attempts": 2,
                     *         "wallet_reference": null,
                     *         "problem": null,
                     *         "reversal_prize": null,
                     *         "debit_attempts": 0,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CashbackResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `cashback_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal` or `cashback_needs_resolution`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    releaseCashbackWallet: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The cashback.
                 * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
                 */
                cashback_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "reason": "Checked by phone"
                 *     }
                 */
                "application/json": components["schemas"]["ReleaseCashbackWalletRequest"];
            };
        };
        responses: {
            /** @description The cashback as the move left it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "cashback_id": "cbk_01b977d7aa0076a1b2c3d4e5f6071804",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "player_id": "player-42",
                     *         "amount_minor": 500,
                     *         "currency": "EUR",
                     *         "state": "processing",
                     *         "wallet": "http",
                     *         "attempts": 2,
                     *         "wallet_reference": null,
                     *         "problem": null,
                     *         "reversal_prize": null,
                     *         "debit_attempts": 0,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CashbackResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `cashback_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal` or `cashback_needs_resolution`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resolveCashback: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The cashback.
                 * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
                 */
                cashback_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "outcome": "credited",
                 *       "reason": "The wallet’s log has the booking"
                 *     }
                 */
                "application/json": components["schemas"]["ResolveCashbackRequest"];
            };
        };
        responses: {
            /** @description The cashback as the move left it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "cashback_id": "cbk_01b977d7aa0076a1b2c3d4e5f6071804",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "player_id": "player-42",
                     *         "amount_minor": 500,
                     *         "currency": "EUR",
                     *         "state": "credited",
                     *         "wallet": "http",
                     *         "attempts": 8,
                     *         "wallet_reference": null,
                     *         "problem": null,
                     *         "reversal_prize": null,
                     *         "debit_attempts": 0,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CashbackResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `cashback_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reverseCashback: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The cashback.
                 * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
                 */
                cashback_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "prize": "return",
                 *       "money_back": false,
                 *       "reason": "Credited by mistake"
                 *     }
                 */
                "application/json": components["schemas"]["ReverseCashbackRequest"];
            };
        };
        responses: {
            /** @description The cashback as the move left it. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "cashback_id": "cbk_01b977d7aa0076a1b2c3d4e5f6071804",
                     *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *         "player_id": "player-42",
                     *         "amount_minor": 500,
                     *         "currency": "EUR",
                     *         "state": "reversing",
                     *         "wallet": "http",
                     *         "attempts": 1,
                     *         "wallet_reference": null,
                     *         "problem": null,
                     *         "reversal_prize": "return",
                     *         "debit_attempts": 0,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CashbackResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `cashback_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost` or `transition_illegal`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example NTY3ODkuMTIzNA
                 */
                after?: string;
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description Types with commas between, as for webhooks.
                 * @example prize.won,cashback.*
                 */
                types?: string;
                /**
                 * @description Upwards or downwards, by their ids.
                 * @example asc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Only what was made at this time or later.
                 * @example 2030-01-01T00:00:00Z
                 */
                created_from?: string;
                /**
                 * @description Only what was made before this time.
                 * @example 2030-02-01T00:00:00Z
                 */
                created_until?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "id": "evt_1234",
                     *           "type": "prize.won",
                     *           "timestamp": "2030-01-31T12:00:00.000Z",
                     *           "casino_id": "acme",
                     *           "object": {
                     *             "type": "prize",
                     *             "id": "prz_01b977d7aa0076a1b2c3d4e5f6071802"
                     *           },
                     *           "sequence": 1,
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "data": {
                     *             "from": null,
                     *             "to": "won",
                     *             "player_id": "player-42",
                     *             "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *             "item_id": "mug",
                     *             "kind": "physical",
                     *             "opening_id": "opn_01b977d7aa0076a1b2c3d4e5f6071801",
                     *             "cashback": {
                     *               "amount_minor": 500,
                     *               "currency": "EUR"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": "NTY3ODkuMTIzNA",
                     *       "has_more": false
                     *     }
                     */
                    "application/json": components["schemas"]["EventFeed"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid` or `event_cursor_unknown`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The event.
                 * @example evt_1234
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "id": "evt_1234",
                     *         "type": "prize.won",
                     *         "timestamp": "2030-01-31T12:00:00.000Z",
                     *         "casino_id": "acme",
                     *         "object": {
                     *           "type": "prize",
                     *           "id": "prz_01b977d7aa0076a1b2c3d4e5f6071802"
                     *         },
                     *         "sequence": 1,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "data": {
                     *           "from": null,
                     *           "to": "won",
                     *           "player_id": "player-42",
                     *           "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                     *           "item_id": "mug",
                     *           "kind": "physical",
                     *           "opening_id": "opn_01b977d7aa0076a1b2c3d4e5f6071801",
                     *           "cashback": {
                     *             "amount_minor": 500,
                     *             "currency": "EUR"
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EventResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `event_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEventDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description Upwards or downwards, by their ids.
                 * @example desc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Only what was made at this time or later.
                 * @example 2030-01-01T00:00:00Z
                 */
                created_from?: string;
                /**
                 * @description Only what was made before this time.
                 * @example 2030-02-01T00:00:00Z
                 */
                created_until?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The event.
                 * @example evt_1234
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Those to all endpoints. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "delivery_id": "dlv_01b977d7aa0076a1b2c3d4e5f6071805",
                     *           "endpoint_id": "crm",
                     *           "event_id": "evt_1234",
                     *           "event_type": "prize.won",
                     *           "object": {
                     *             "type": "prize",
                     *             "id": "prz_01b977d7aa0076a1b2c3d4e5f6071802"
                     *           },
                     *           "sequence": 1,
                     *           "replay_number": 0,
                     *           "state": "delivered",
                     *           "attempts": 1,
                     *           "last_status": 204,
                     *           "last_problem": null,
                     *           "next_attempt_at": null,
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "updated_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryListResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `event_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayEvent: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The event.
                 * @example evt_1234
                 */
                event_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "endpoint_id": "crm"
                 *     }
                 */
                "application/json": components["schemas"]["ReplayEventRequest"];
            };
        };
        responses: {
            /** @description The new deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "replayed": [
                     *           {
                     *             "delivery_id": "dlv_01b977d7aa0076a1b2c3d4e5f6071805",
                     *             "endpoint_id": "crm"
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayedEventResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `event_unknown` or `webhook_endpoint_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The webhook endpoint.
                 * @example crm
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "endpoint_id": "crm",
                     *         "url": "https://hooks.example.com/rewards",
                     *         "description": "Our CRM",
                     *         "event_types": [
                     *           "prize.*",
                     *           "cashback.credited"
                     *         ],
                     *         "state": "enabled",
                     *         "disabled_reason": null,
                     *         "failing_since": null,
                     *         "resting_until": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "pending_deliveries": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointDetailsResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `webhook_endpoint_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The webhook endpoint.
                 * @example crm
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.example.com/rewards",
                 *       "description": "Our CRM",
                 *       "event_types": [
                 *         "prize.*",
                 *         "cashback.credited"
                 *       ],
                 *       "secret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
                 *     }
                 */
                "application/json": components["schemas"]["PutWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "endpoint_id": "crm",
                     *         "url": "https://hooks.example.com/rewards",
                     *         "description": "Our CRM",
                     *         "event_types": [
                     *           "prize.*",
                     *           "cashback.credited"
                     *         ],
                     *         "state": "enabled",
                     *         "disabled_reason": null,
                     *         "failing_since": null,
                     *         "resting_until": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "secret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SavedWebhookEndpointResponse"];
                };
            };
            /** @description The new endpoint; with its secret when one was made. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "endpoint_id": "crm",
                     *         "url": "https://hooks.example.com/rewards",
                     *         "description": "Our CRM",
                     *         "event_types": [
                     *           "prize.*",
                     *           "cashback.credited"
                     *         ],
                     *         "state": "enabled",
                     *         "disabled_reason": null,
                     *         "failing_since": null,
                     *         "resting_until": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "secret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SavedWebhookEndpointResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `webhook_endpoint_limit` or `webhook_endpoint_deleting`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The webhook endpoint.
                 * @example crm
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint is gone. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "endpoint_id": "crm",
                     *         "deleted": true
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeletedWebhookEndpointResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `webhook_endpoint_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example Y3Jt
                 */
                cursor?: string;
                /**
                 * @description Upwards or downwards, by their ids.
                 * @example asc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Only what was made at this time or later.
                 * @example 2030-01-01T00:00:00Z
                 */
                created_from?: string;
                /**
                 * @description Only what was made before this time.
                 * @example 2030-02-01T00:00:00Z
                 */
                created_until?: string;
            };
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoints. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "endpoint_id": "crm",
                     *           "url": "https://hooks.example.com/rewards",
                     *           "description": "Our CRM",
                     *           "event_types": [
                     *             "prize.*",
                     *             "cashback.credited"
                     *           ],
                     *           "state": "enabled",
                     *           "disabled_reason": null,
                     *           "failing_since": null,
                     *           "resting_until": null,
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "updated_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "Y3Jt"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The webhook endpoint.
                 * @example crm
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlap_seconds": 86400,
                 *       "secret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="
                 *     }
                 */
                "application/json": components["schemas"]["RotateWebhookSecretRequest"];
            };
        };
        responses: {
            /** @description The new secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "endpoint_id": "crm",
                     *         "secret": "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "others_expire_at": "2030-02-01T12:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["NewWebhookSecretResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `webhook_endpoint_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    enableWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The webhook endpoint.
                 * @example crm
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The receiver is back"
                 *     }
                 */
                "application/json": components["schemas"]["EnableWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "endpoint_id": "crm",
                     *         "url": "https://hooks.example.com/rewards",
                     *         "description": "Our CRM",
                     *         "event_types": [
                     *           "prize.*",
                     *           "cashback.credited"
                     *         ],
                     *         "state": "enabled",
                     *         "disabled_reason": null,
                     *         "failing_since": null,
                     *         "resting_until": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "pending_deliveries": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointDetailsResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `webhook_endpoint_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    disableWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The webhook endpoint.
                 * @example crm
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "reason": "The receiver moves"
                 *     }
                 */
                "application/json": components["schemas"]["DisableWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "endpoint_id": "crm",
                     *         "url": "https://hooks.example.com/rewards",
                     *         "description": "Our CRM",
                     *         "event_types": [
                     *           "prize.*",
                     *           "cashback.credited"
                     *         ],
                     *         "state": "disabled",
                     *         "disabled_reason": "operator",
                     *         "failing_since": null,
                     *         "resting_until": null,
                     *         "created_at": "2030-01-31T12:00:00.000Z",
                     *         "updated_at": "2030-01-31T12:00:00.000Z",
                     *         "pending_deliveries": 0
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointDetailsResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `webhook_endpoint_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The webhook endpoint.
                 * @example crm
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the receiver said. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "event": {
                     *           "id": "tst_01b977d7aa0076a1b2c3d4e5f6071809",
                     *           "type": "webhook.test",
                     *           "timestamp": "2030-01-31T12:00:00.000Z",
                     *           "casino_id": "acme",
                     *           "object": {
                     *             "type": "webhook_endpoint",
                     *             "id": "crm"
                     *           },
                     *           "sequence": 0,
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "data": {
                     *             "endpoint_id": "crm"
                     *           }
                     *         },
                     *         "delivered": true,
                     *         "status": 204,
                     *         "problem": null,
                     *         "duration_ms": 120
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointTestResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid` or `api_key_misplaced` or `idempotency_key_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `webhook_endpoint_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayWebhookEvents: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat: the first success under a key is answered again, with nothing done twice. 1 to 255 visible characters, bare or in quotation marks.
                 * @example c2f6b0a4-6d38-4e0f-9a25-8c1d7be0a913
                 */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The webhook endpoint.
                 * @example crm
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "from": "2030-01-31T00:00:00Z",
                 *       "until": "2030-02-01T00:00:00Z",
                 *       "only_failed": false
                 *     }
                 */
                "application/json": components["schemas"]["ReplayWebhookEventsRequest"];
            };
        };
        responses: {
            /** @description How many are sent again. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "replayed_count": 12
                     *       },
                     *       "next_cursor": "NTY3ODkuMTIzNA"
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayWebhookEventsResponse"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `body_malformed` or `api_key_misplaced` or `parameters_invalid` or `idempotency_key_invalid` or `event_cursor_unknown`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `webhook_endpoint_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Conflict. `X-Error-Code` is `idempotency_key_in_progress` or `idempotency_answer_lost`. */
            409: components["responses"]["Conflict"];
            /** @description Payload Too Large. `X-Error-Code` is `body_too_large`. */
            413: components["responses"]["PayloadTooLarge"];
            /** @description Unprocessable Entity. `X-Error-Code` is `idempotency_key_reused`. */
            422: components["responses"]["UnprocessableEntity"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /**
                 * @description How many at most.
                 * @example 50
                 */
                limit?: number;
                /**
                 * @description The `next_cursor` of the answer before.
                 * @example ZGx2XzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA1
                 */
                cursor?: string;
                /**
                 * @description Upwards or downwards, by their ids.
                 * @example desc
                 */
                order?: "asc" | "desc";
                /**
                 * @description Only what was made at this time or later.
                 * @example 2030-01-01T00:00:00Z
                 */
                created_from?: string;
                /**
                 * @description Only what was made before this time.
                 * @example 2030-02-01T00:00:00Z
                 */
                created_until?: string;
                /**
                 * @description Where it stands.
                 * @example pending
                 */
                state?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path: {
                /**
                 * @description The casino.
                 * @example acme
                 */
                casino_id: string;
                /**
                 * @description The webhook endpoint.
                 * @example crm
                 */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deliveries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": [
                     *         {
                     *           "delivery_id": "dlv_01b977d7aa0076a1b2c3d4e5f6071805",
                     *           "endpoint_id": "crm",
                     *           "event_id": "evt_1234",
                     *           "event_type": "prize.won",
                     *           "object": {
                     *             "type": "prize",
                     *             "id": "prz_01b977d7aa0076a1b2c3d4e5f6071802"
                     *           },
                     *           "sequence": 1,
                     *           "replay_number": 0,
                     *           "state": "delivered",
                     *           "attempts": 1,
                     *           "last_status": 204,
                     *           "last_problem": null,
                     *           "next_attempt_at": null,
                     *           "created_at": "2030-01-31T12:00:00.000Z",
                     *           "updated_at": "2030-01-31T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "next_cursor": "ZGx2XzAxYjk3N2Q3YWEwMDc2YTFiMmMzZDRlNWY2MDcxODA1"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            /** @description Bad Request. `X-Error-Code` is `parameters_invalid`. */
            400: components["responses"]["BadRequest"];
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url` or `api_key_invalid` or `api_key_address_refused`. */
            401: components["responses"]["Unauthorized"];
            /** @description Forbidden. `X-Error-Code` is `api_key_scope_missing`. */
            403: components["responses"]["Forbidden"];
            /** @description Not Found. `X-Error-Code` is `casino_unknown` or `webhook_endpoint_unknown`. */
            404: components["responses"]["NotFound"];
            /** @description Too Many Requests. `X-Error-Code` is `api_key_attempts_limited` or `rate_limited`. */
            429: components["responses"]["TooManyRequests"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable. `X-Error-Code` is `overloaded`. */
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSigningKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The public key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "success",
                     *       "data": {
                     *         "algorithm": "Ed25519",
                     *         "signing_key": "f3fc3797871a78c73f9364623f8208d8450635a77a72981980fa88fc724026d5"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SigningKeyResponse"];
                };
            };
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url`. */
            401: components["responses"]["UnauthorizedWithoutKey"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerErrorWithoutKey"];
        };
    };
    checkHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It does. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["CheckHealthResponse"];
                };
            };
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url`. */
            401: components["responses"]["UnauthorizedWithoutKey"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerErrorWithoutKey"];
        };
    };
    checkReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It can. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok",
                     *       "database": "ok",
                     *       "queue": "ok",
                     *       "clock": "ok"
                     *     }
                     */
                    "application/json": components["schemas"]["CheckReadinessResponse"];
                };
            };
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url`. */
            401: components["responses"]["UnauthorizedWithoutKey"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerErrorWithoutKey"];
            /** @description Service Unavailable: send it nothing. `database` is `unavailable`, or `clock` is `off`, or the process is stopping. There is no `X-Error-Code`. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "error",
                     *       "database": "unavailable",
                     *       "queue": "ok",
                     *       "clock": "ok",
                     *       "message": "The database lacks migrations that this version needs: run npm run migrate"
                     *     }
                     */
                    "application/json": components["schemas"]["CheckReadinessServiceUnavailableResponse"];
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description For Prometheus. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; version=0.0.4; charset=utf-8": string;
                };
            };
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url`. */
            401: components["responses"]["UnauthorizedWithoutKey"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerErrorWithoutKey"];
        };
    };
    getSecurityContact: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A contact, as [RFC 9116](https://www.rfc-editor.org/rfc/rfc9116) says. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; charset=utf-8": string;
                };
            };
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url`. */
            401: components["responses"]["UnauthorizedWithoutKey"];
            /** @description Not Found. `X-Error-Code` is `route_unknown`. */
            404: components["responses"]["NotFoundWithoutKey"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerErrorWithoutKey"];
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the caller has: 304 when it is still the same.
                 * @example "q7J3fFh0Jb7vDk1o8sYqk0o8L0d9S3c2VqC1uXo4m5E"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    /** @example {} */
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description As it was: the caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url`. */
            401: components["responses"]["UnauthorizedWithoutKey"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerErrorWithoutKey"];
        };
    };
    getDocumentationPage: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of an answer that the caller has: 304 when it is still the same.
                 * @example "q7J3fFh0Jb7vDk1o8sYqk0o8L0d9S3c2VqC1uXo4m5E"
                 */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page that loads nothing else. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html; charset=utf-8": string;
                };
            };
            /** @description As it was: the caller has it already. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Unauthorized. `X-Error-Code` is `api_key_in_url`. */
            401: components["responses"]["UnauthorizedWithoutKey"];
            /** @description Internal Server Error. `X-Error-Code` is `storage_contended` or `internal`. */
            500: components["responses"]["InternalServerErrorWithoutKey"];
        };
    };
    receiveEvent: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The event’s `id`: the same with every attempt and every replay.
                 * @example evt_1234
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970. Refuse what is more than five minutes off.
                 * @example 1896091200
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; several with blanks between while one secret replaces another. Check it over the body as it came.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_1234",
                 *       "type": "prize.won",
                 *       "timestamp": "2030-01-31T12:00:00.000Z",
                 *       "casino_id": "acme",
                 *       "object": {
                 *         "type": "prize",
                 *         "id": "prz_01b977d7aa0076a1b2c3d4e5f6071802"
                 *       },
                 *       "sequence": 1,
                 *       "created_at": "2030-01-31T12:00:00.000Z",
                 *       "data": {
                 *         "from": null,
                 *         "to": "won",
                 *         "player_id": "player-42",
                 *         "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                 *         "item_id": "mug",
                 *         "kind": "physical",
                 *         "opening_id": "opn_01b977d7aa0076a1b2c3d4e5f6071801",
                 *         "cashback": {
                 *           "amount_minor": 500,
                 *           "currency": "EUR"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEvent"];
            };
        };
        responses: {
            /** @description The endpoint is switched off at once. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, with `Retry-After` not before then. */
            429: {
                headers: {
                    /**
                     * @description Seconds or an HTTP date: the endpoint gets nothing until then, for a day at most.
                     * @example 120
                     */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, with `Retry-After` not before then. */
            503: {
                headers: {
                    /**
                     * @description Seconds or an HTTP date: the endpoint gets nothing until then, for a day at most.
                     * @example 120
                     */
                    "Retry-After"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered. What it says is ignored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Tried again, for about five days. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    creditCashback: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The `transaction_id`: the same on every attempt.
                 * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
                 */
                "Idempotency-Key": string;
                /**
                 * @description The `transaction_id`: the same on every attempt.
                 * @example cbk_01b977d7aa0076a1b2c3d4e5f6071804
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970. Refuse what is more than five minutes off.
                 * @example 1896091200
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; several with blanks between while one secret replaces another. Check it over the body as it came.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "cashback.credit",
                 *       "transaction_id": "cbk_01b977d7aa0076a1b2c3d4e5f6071804",
                 *       "cashback_id": "cbk_01b977d7aa0076a1b2c3d4e5f6071804",
                 *       "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                 *       "player_id": "player-42",
                 *       "amount_minor": 500,
                 *       "currency": "EUR",
                 *       "attempt": 1
                 *     }
                 */
                "application/json": components["schemas"]["CreditCall"];
            };
        };
        responses: {
            /** @description `credited` or `already_processed` or `declined`. Anything else: the same call is made again later. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "credited",
                     *       "amount_minor": 500,
                     *       "currency": "EUR",
                     *       "reference": "booking-20300131-77"
                     *     }
                     */
                    "application/json": components["schemas"]["CreditedAnswer"] | components["schemas"]["AlreadyProcessedAnswer"] | components["schemas"]["CreditDeclinedAnswer"];
                };
            };
            /** @description `credited`. Anything else: the same call is made again later. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "credited",
                     *       "amount_minor": 500,
                     *       "currency": "EUR",
                     *       "reference": "booking-20300131-77"
                     *     }
                     */
                    "application/json": components["schemas"]["CreditedAnswer"];
                };
            };
            /** @description `declined`. Anything else: the same call is made again later. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "declined",
                     *       "code": "player_unknown"
                     *     }
                     */
                    "application/json": components["schemas"]["CreditDeclinedAnswer"];
                };
            };
            /** @description The wallet does not accept us: it is paused until somebody has looked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The wallet does not accept us: it is paused until somebody has looked. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The wallet does not accept us: it is paused until somebody has looked. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `already_processed` or `declined`. Anything else: the same call is made again later. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "already_processed",
                     *       "amount_minor": 500,
                     *       "currency": "EUR",
                     *       "reference": "booking-20300131-77"
                     *     }
                     */
                    "application/json": components["schemas"]["AlreadyProcessedAnswer"] | components["schemas"]["CreditDeclinedAnswer"];
                };
            };
            /** @description `declined`. Anything else: the same call is made again later. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "declined",
                     *       "code": "player_unknown"
                     *     }
                     */
                    "application/json": components["schemas"]["CreditDeclinedAnswer"];
                };
            };
            /** @description Nobody knows what happened: the same call is made again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    debitCashback: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The `transaction_id`: the same on every attempt.
                 * @example debit_1_cbk_01b977d7aa0076a1b2c3d4e5f6071804
                 */
                "Idempotency-Key": string;
                /**
                 * @description The `transaction_id`: the same on every attempt.
                 * @example debit_1_cbk_01b977d7aa0076a1b2c3d4e5f6071804
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970. Refuse what is more than five minutes off.
                 * @example 1896091200
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; several with blanks between while one secret replaces another. Check it over the body as it came.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "cashback.debit",
                 *       "transaction_id": "debit_1_cbk_01b977d7aa0076a1b2c3d4e5f6071804",
                 *       "cashback_id": "cbk_01b977d7aa0076a1b2c3d4e5f6071804",
                 *       "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                 *       "player_id": "player-42",
                 *       "amount_minor": 500,
                 *       "currency": "EUR",
                 *       "credit_transaction_id": "cbk_01b977d7aa0076a1b2c3d4e5f6071804",
                 *       "attempt": 1
                 *     }
                 */
                "application/json": components["schemas"]["DebitCall"];
            };
        };
        responses: {
            /** @description `debited` or `already_processed` or `declined`. Anything else: the same call is made again later. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "debited",
                     *       "amount_minor": 500,
                     *       "currency": "EUR",
                     *       "reference": "booking-20300131-77"
                     *     }
                     */
                    "application/json": components["schemas"]["DebitedAnswer"] | components["schemas"]["AlreadyProcessedAnswer"] | components["schemas"]["DebitDeclinedAnswer"];
                };
            };
            /** @description `debited`. Anything else: the same call is made again later. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "debited",
                     *       "amount_minor": 500,
                     *       "currency": "EUR",
                     *       "reference": "booking-20300131-77"
                     *     }
                     */
                    "application/json": components["schemas"]["DebitedAnswer"];
                };
            };
            /** @description `declined`. Anything else: the same call is made again later. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "declined",
                     *       "code": "player_unknown"
                     *     }
                     */
                    "application/json": components["schemas"]["DebitDeclinedAnswer"];
                };
            };
            /** @description The wallet does not accept us: it is paused until somebody has looked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The wallet does not accept us: it is paused until somebody has looked. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The wallet does not accept us: it is paused until somebody has looked. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `already_processed` or `declined`. Anything else: the same call is made again later. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "already_processed",
                     *       "amount_minor": 500,
                     *       "currency": "EUR",
                     *       "reference": "booking-20300131-77"
                     *     }
                     */
                    "application/json": components["schemas"]["AlreadyProcessedAnswer"] | components["schemas"]["DebitDeclinedAnswer"];
                };
            };
            /** @description `declined`. Anything else: the same call is made again later. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "declined",
                     *       "code": "player_unknown"
                     *     }
                     */
                    "application/json": components["schemas"]["DebitDeclinedAnswer"];
                };
            };
            /** @description Nobody knows what happened: the same call is made again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    pingWallet: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description New with every call.
                 * @example png_01b977d7aa0076a1b2c3d4e5f607180a
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970. Refuse what is more than five minutes off.
                 * @example 1896091200
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; several with blanks between while one secret replaces another. Check it over the body as it came.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "ping"
                 *     }
                 */
                "application/json": components["schemas"]["PingCall"];
            };
        };
        responses: {
            /** @description All is well. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The test has failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The test has failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    submitShipment: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Names the submission: the same however often it is made.
                 * @example order.submit/ord_01b977d7aa0076a1b2c3d4e5f6071803-1
                 */
                "Idempotency-Key": string;
                /**
                 * @description Names the submission: the same however often it is made.
                 * @example order.submit/ord_01b977d7aa0076a1b2c3d4e5f6071803-1
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970. Refuse what is more than five minutes off.
                 * @example 1896091200
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; several with blanks between while one secret replaces another. Check it over the body as it came.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "order.submit",
                 *       "submission_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803-1",
                 *       "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                 *       "shipment_number": 1,
                 *       "prize_id": "prz_01b977d7aa0076a1b2c3d4e5f6071802",
                 *       "item": {
                 *         "id": "mug",
                 *         "name": "Mug"
                 *       },
                 *       "delivery": {
                 *         "recipient_name": "Ada Lovelace",
                 *         "street": "350 Fifth Avenue",
                 *         "city": "New York",
                 *         "postal_code": "10118",
                 *         "country": "United States",
                 *         "state": "New York",
                 *         "phone_number": "+1 212 555 0123",
                 *         "email": "ada@example.com",
                 *         "additional_notes": "Ring twice."
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SubmitCall"];
            };
        };
        responses: {
            /** @description What became of it. Anything else: the same call is made again later. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted",
                     *       "reference": "parcel-20300131-77"
                     *     }
                     */
                    "application/json": components["schemas"]["SubmitAnswer"];
                };
            };
            /** @description What became of it. Anything else: the same call is made again later. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted",
                     *       "reference": "parcel-20300131-77"
                     *     }
                     */
                    "application/json": components["schemas"]["SubmitAnswer"];
                };
            };
            /** @description What became of it. Anything else: the same call is made again later. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted",
                     *       "reference": "parcel-20300131-77"
                     *     }
                     */
                    "application/json": components["schemas"]["SubmitAnswer"];
                };
            };
            /** @description The provider does not accept us: it is paused until somebody has looked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The provider does not accept us: it is paused until somebody has looked. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The provider does not accept us: it is paused until somebody has looked. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What became of it. Anything else: the same call is made again later. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted",
                     *       "reference": "parcel-20300131-77"
                     *     }
                     */
                    "application/json": components["schemas"]["SubmitAnswer"];
                };
            };
            /** @description What became of it. Anything else: the same call is made again later. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted",
                     *       "reference": "parcel-20300131-77"
                     *     }
                     */
                    "application/json": components["schemas"]["SubmitAnswer"];
                };
            };
            /** @description Nobody knows what happened: the same call is made again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    cancelShipment: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description New with every call: it asks about the present.
                 * @example order.cancel/ord_01b977d7aa0076a1b2c3d4e5f6071803-1/req_01b977d7aa0076a1b2c3d4e5f6071807
                 */
                "Idempotency-Key": string;
                /**
                 * @description New with every call: it asks about the present.
                 * @example order.cancel/ord_01b977d7aa0076a1b2c3d4e5f6071803-1/req_01b977d7aa0076a1b2c3d4e5f6071807
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970. Refuse what is more than five minutes off.
                 * @example 1896091200
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; several with blanks between while one secret replaces another. Check it over the body as it came.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "order.cancel",
                 *       "submission_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803-1",
                 *       "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                 *       "shipment_number": 1
                 *     }
                 */
                "application/json": components["schemas"]["CancelCall"];
            };
        };
        responses: {
            /** @description What became of it. Anything else: the same call is made again later. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "cancelled"
                     *     }
                     */
                    "application/json": components["schemas"]["CancelAnswer"];
                };
            };
            /** @description What became of it. Anything else: the same call is made again later. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "cancelled"
                     *     }
                     */
                    "application/json": components["schemas"]["CancelAnswer"];
                };
            };
            /** @description What became of it. Anything else: the same call is made again later. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "cancelled"
                     *     }
                     */
                    "application/json": components["schemas"]["CancelAnswer"];
                };
            };
            /** @description The provider does not accept us: it is paused until somebody has looked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The provider does not accept us: it is paused until somebody has looked. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What became of it. Anything else: the same call is made again later. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "cancelled"
                     *     }
                     */
                    "application/json": components["schemas"]["CancelAnswer"];
                };
            };
            /** @description What became of it. Anything else: the same call is made again later. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "cancelled"
                     *     }
                     */
                    "application/json": components["schemas"]["CancelAnswer"];
                };
            };
            /** @description Nobody knows what happened: the same call is made again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    askShipmentStatus: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description New with every call: it asks about the present.
                 * @example order.status/ord_01b977d7aa0076a1b2c3d4e5f6071803-1/req_01b977d7aa0076a1b2c3d4e5f6071807
                 */
                "Idempotency-Key": string;
                /**
                 * @description New with every call: it asks about the present.
                 * @example order.status/ord_01b977d7aa0076a1b2c3d4e5f6071803-1/req_01b977d7aa0076a1b2c3d4e5f6071807
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970. Refuse what is more than five minutes off.
                 * @example 1896091200
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; several with blanks between while one secret replaces another. Check it over the body as it came.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "order.status",
                 *       "submission_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803-1",
                 *       "order_id": "ord_01b977d7aa0076a1b2c3d4e5f6071803",
                 *       "shipment_number": 1
                 *     }
                 */
                "application/json": components["schemas"]["StatusCall"];
            };
        };
        responses: {
            /** @description What became of it. Anything else: the same call is made again later. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted"
                     *     }
                     */
                    "application/json": components["schemas"]["StatusAnswer"];
                };
            };
            /** @description What became of it. Anything else: the same call is made again later. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted"
                     *     }
                     */
                    "application/json": components["schemas"]["StatusAnswer"];
                };
            };
            /** @description What became of it. Anything else: the same call is made again later. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted"
                     *     }
                     */
                    "application/json": components["schemas"]["StatusAnswer"];
                };
            };
            /** @description The provider does not accept us: it is paused until somebody has looked. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The provider does not accept us: it is paused until somebody has looked. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The provider has never heard of the parcel: it is asked again later. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description What became of it. Anything else: the same call is made again later. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted"
                     *     }
                     */
                    "application/json": components["schemas"]["StatusAnswer"];
                };
            };
            /** @description What became of it. Anything else: the same call is made again later. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "accepted"
                     *     }
                     */
                    "application/json": components["schemas"]["StatusAnswer"];
                };
            };
            /** @description Nobody knows what happened: the same call is made again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    pingProvider: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description New with every call: it asks about the present.
                 * @example png_01b977d7aa0076a1b2c3d4e5f607180b
                 */
                "webhook-id": string;
                /**
                 * @description When this attempt was sent, in seconds since 1970. Refuse what is more than five minutes off.
                 * @example 1896091200
                 */
                "webhook-timestamp": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`; several with blanks between while one secret replaces another. Check it over the body as it came.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "type": "ping"
                 *     }
                 */
                "application/json": components["schemas"]["PingCall"];
            };
        };
        responses: {
            /** @description All is well. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The test has failed. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The test has failed. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
