//! A driver for real models, through the `genai` crate.

mod failure;
mod kept;
mod offer;
mod request;
mod response;

use std::fmt;

use genai::{Client, ModelSpec, chat::ChatOptions};

use self::{failure::Whom, offer::Offers};
use crate::{AgentState, BoxFuture, Definitions, Driver, DriverError, Turn};

/// A model of any provider that the [`genai`] crate speaks to: `OpenAI`, Anthropic, Gemini, Ollama and many more.
///
/// The provider is found by the model's name, or by a namespace before it: `"gpt-4o"`, `"claude-sonnet-4-6"`,
/// `"ollama::llama3.2"`. Names of tools and arguments that it would refuse are encoded, and what a schema cannot say
/// to it is left out, as [`OpenAiChat`](crate::OpenAiChat) and [`Anthropic`](crate::Anthropic) do.
///
/// ```no_run
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// use tools_core::{Agent, GenaiDriver, genai::chat::ChatOptions, tool};
///
/// /// Look up the weather forecast for a city.
/// #[tool(name = "weather.forecast", read_only)]
/// async fn forecast(city: &str) -> String {
///     format!("sunny in {city}")
/// }
///
/// let options = ChatOptions::default().with_temperature(0.2).with_max_tokens(1000);
/// // The key is read from OPENAI_API_KEY.
/// let driver = GenaiDriver::model("gpt-4o")?.options(options);
/// let agent = Agent::builder(driver).tool(Forecast).build().await?;
/// println!("{:?}", agent.run("Will it rain in Paris?").await?.output());
/// # Ok(()) }
/// ```
///
/// A client of its own gives keys and addresses in another way, for example for a server that speaks `OpenAI`'s
/// format:
///
/// ```
/// use tools_core::{GenaiDriver, genai};
/// use genai::{Client, adapter::AdapterKind, resolver::{AuthData, Endpoint}};
///
/// let server = (Endpoint::from_static("http://localhost:8000/v1/"), AuthData::from_single("no key"));
/// let client = Client::builder()
///     .with_adapter_kind(AdapterKind::OpenAI)
///     .append_provider_config(AdapterKind::OpenAI, server)
///     .build()?;
/// let driver = GenaiDriver::new(client, "my-model");
/// # Ok::<(), genai::Error>(())
/// ```
///
/// What a model thought, and the signatures under it, are kept in [`Turn::extra`] and go back to the provider with
/// the conversation. `OpenAI`'s Responses send them only if asked, with
/// [`ChatOptions::with_capture_reasoning_content`].
///
/// An error is [retryable](DriverError::is_retryable) where the same request may succeed later: after the statuses
/// 408, 409, 429 and 5xx, and where no connection was made or it broke. Nothing is tried again here.
pub struct GenaiDriver {
    client: Client,
    model: ModelSpec,
    options: ChatOptions,
    offers: Offers,
}

impl GenaiDriver {
    /// A model, reached through a client.
    ///
    /// The client's resolvers are asked twice in each turn: once to find out who is spoken to, once by the client
    /// itself.
    pub fn new(client: Client, model: impl Into<ModelSpec>) -> Self {
        Self {
            client,
            model: model.into(),
            options: read_whole(ChatOptions::default()),
            offers: Offers::default(),
        }
    }

    /// A model, reached through a client that takes its key from the environment, for example from
    /// `OPENAI_API_KEY`.
    ///
    /// # Errors
    ///
    /// The HTTP client cannot be made. A missing key is an error of the first turn.
    pub fn model(model: impl Into<ModelSpec>) -> Result<Self, DriverError> {
        let client = Client::new()
            .map_err(|error| DriverError::new(format!("the HTTP client cannot be made: {error}")))?;
        Ok(Self::new(client, model))
    }

    /// What is asked of the model: temperature, limit of tokens, effort. A tool that has to be called is named as it
    /// is registered.
    #[must_use]
    pub fn options(mut self, options: ChatOptions) -> Self {
        self.options = read_whole(options);
        self
    }

    /// What the model thought before a turn of this driver's, where the provider tells it.
    ///
    /// ```
    /// use tools_core::{GenaiDriver, Turn};
    ///
    /// assert_eq!(GenaiDriver::reasoning(&Turn::text("no thoughts")), None);
    /// ```
    #[must_use]
    pub fn reasoning(turn: &Turn) -> Option<String> {
        kept::reasoning(turn)
    }

    async fn ask(&self, state: &AgentState, tools: &Definitions) -> Result<Turn, DriverError> {
        let target = self.client.resolve_service_target(self.model.clone()).await;
        let target = target.map_err(|error| failure::unresolved(&error))?;
        let offer = self.offers.made_of(tools, &target.model)?;
        let request = request::write(state, &offer);
        let options = offer.options(&self.options);
        let result = self.client.exec_chat(self.model.clone(), request, Some(&options)).await;
        response::read(result, &offer, &Whom::new(&target))
    }
}

/// Calls are read from the body: genai refuses a whole answer for one argument that is not JSON, which is for the model
/// to hear of.
fn read_whole(options: ChatOptions) -> ChatOptions {
    options.with_capture_raw_body(true)
}

impl Driver for GenaiDriver {
    fn turn<'a>(
        &'a self,
        state: &'a AgentState,
        tools: &'a Definitions,
    ) -> BoxFuture<'a, Result<Turn, DriverError>> {
        Box::pin(self.ask(state, tools))
    }

    fn model_name(&self) -> Option<&str> {
        Some(match &self.model {
            ModelSpec::Name(name) => name,
            ModelSpec::Iden(model) => &model.model_name,
            ModelSpec::Target(target) => &target.model.model_name,
        })
    }
}

impl fmt::Debug for GenaiDriver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GenaiDriver").field("model", &self.model).finish_non_exhaustive()
    }
}
